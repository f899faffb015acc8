/** The frame of every page that this machine serves beside the shop: those of the emulators and of the mails. */
import { escapeMarkup } from '../lib/escape.ts';

interface HtmlPage {
  readonly title: string;
  readonly style: string;
  /** Markup, with everything foreign in it escaped. */
  readonly body: string;
  readonly status?: number;
}

export function htmlPage({ title, style, body, status = 200 }: HtmlPage): Response {
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return new Response(page, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // No form-action: it would also forbid the redirect from a payment page back to the shop.
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  });
}
