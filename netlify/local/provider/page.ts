/** The look of the emulators' pages: plain, for a phone, and saying that no money moves. */
import { escapeMarkup } from '../../lib/escape.ts';
import { htmlPage } from '../html-page.ts';

/** For pages, and for dialogs in the page of the shop (`:host`). */
export const SHARED_STYLE = `
  :root, :host { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  .band { padding-block: 0.75rem; font-weight: 600; border-block-end: 3px solid; }
  h1, h2 { font-size: 1.375rem; line-height: 1.25; }
  form { display: grid; gap: 0.75rem; margin-block: 1.5rem; }
  button, a.button { display: inline-block; box-sizing: border-box; min-height: 44px; padding: 0.5rem 1rem; font: inherit; font-weight: 600;
    text-align: center; text-decoration: none; color: inherit; background: none; border: 2px solid; border-radius: 2px; cursor: pointer; }
  button.main { color: Canvas; background: CanvasText; border-color: CanvasText; }
  button:disabled { opacity: 0.6; cursor: default; }
  :focus-visible { outline: 3px solid; outline-offset: 2px; }`;

const PAGE_STYLE = `
  body { max-width: 32rem; margin: 0 auto 2rem; padding: 0 1rem; }
  .band { margin: 0 -1rem 1.5rem; padding-inline: 1rem; }
  h2 { font-size: 1.0625rem; margin-block-end: 0; }
  table { width: 100%; border-collapse: collapse; }
  th, td { text-align: start; padding-block: 0.375rem; vertical-align: top; font-weight: 400; overflow-wrap: anywhere; }
  th:last-child, td:last-child { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
  tfoot :is(th, td) { border-block-start: 1px solid; font-weight: 600; }
  form.row { display: flex; flex-wrap: wrap; margin-block: 0.5rem; }
  [role=alert] { border-inline-start: 4px solid; padding-inline-start: 0.75rem; }
  code { overflow-wrap: anywhere; }`;

/** Shown on every page and dialog of the emulators. */
export const BAND = '<p class="band">Test payments only. You won’t be charged.</p>';

/** @param content markup, with everything foreign in it escaped */
export function testPage(title: string, content: string, status = 200): Response {
  const body = `<header>${BAND}</header>
<main>
<h1>${escapeMarkup(title)}</h1>
${content}
</main>`;
  return htmlPage({ title, style: SHARED_STYLE + PAGE_STYLE, body, status });
}

export function notFoundPage(): Response {
  return testPage('There is no such payment', linkButton('/', 'All payments'), 404);
}

/** After a form was sent: leads the browser to the next page. */
export function redirect(url: string): Response {
  const headers = { location: url, 'cache-control': 'no-store' };
  return new Response(null, { status: 303, headers });
}

/** One button of a form that offers several actions. */
export function actionButton(action: string, label: string, { isMain = false } = {}): string {
  const look = isMain ? ' class="main"' : '';
  return `<button name="action" value="${action}"${look}>${label}</button>`;
}

/** @returns null when the page is only looked at */
export function actionOf({ method, body }: { method: string; body: string }): string | null {
  return method === 'POST' ? new URLSearchParams(body).get('action') : null;
}

export function linkButton(url: string, label: string): string {
  return `<p><a class="button" href="${escapeMarkup(url)}">${label}</a></p>`;
}
