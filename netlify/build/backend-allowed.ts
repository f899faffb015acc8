/** Whether the pages' headers let them reach the backend that the shop is built for. */
import { parse } from 'smol-toml';

/**
 * @param toml the text of netlify.toml
 * @param url where the backend is
 * @returns a sentence for the person who builds the shop, or null when all is well
 */
export function findsBackendBlocked(toml: string, url: string): string | null {
  const { origin, host } = new URL(url);
  for (const { path, policy } of policiesOf(toml)) {
    const sources = directive(policy, 'connect-src');
    for (const source of [origin, `wss://${host}`]) {
      if (sources.some((allowed) => allows(allowed, source))) continue;
      return (
        `netlify.toml does not let ${path} connect to ${source}, so the shop would stay empty. ` +
        'Add it to connect-src in every Content-Security-Policy there.'
      );
    }
  }
  return null;
}

/** The policies of pages. A rule for scripts, whose path ends in `.js`, is not one of them. */
export function policiesOf(toml: string): { path: string; policy: string }[] {
  const { headers } = parse(toml) as { headers: { for: string; values: Record<string, string> }[] };
  return headers.flatMap(({ for: path, values }) => {
    const policy = values['Content-Security-Policy'];
    return policy === undefined || path.endsWith('.js') ? [] : [{ path, policy }];
  });
}

/** The sources of one directive, e.g. `'self'` and `https://*.supabase.co`; none when it is absent. */
export function directive(policy: string, name: string): string[] {
  const found = policy.split(';').find((part) => part.trim().split(/\s+/)[0] === name);
  return found?.trim().split(/\s+/).slice(1) ?? [];
}

function allows(allowed: string, source: string): boolean {
  const [before, after] = allowed.split('*.');
  if (after === undefined) return allowed === source;
  return source.startsWith(before ?? '') && source.endsWith(`.${after}`);
}
