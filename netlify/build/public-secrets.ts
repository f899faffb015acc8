/**
 * Names the variables that would publish a secret: the build copies every `VITE_` variable into the page,
 * where all visitors can read it.
 */
export function publicSecrets(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) =>
    name.startsWith('VITE_') && isSecret(value.trim()) ? [name] : [],
  );
}

function isSecret(key: string): boolean {
  return /^(sb_secret_|[sr]k_(live|test)_|whsec_)/.test(key) || roleOf(key) === 'service_role';
}

/** The role of a project's key of the older kind, which is a token; null for anything else. */
export function roleOf(key: string): unknown {
  try {
    const [, claims = ''] = key.split('.');
    return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { role?: unknown }).role;
  } catch {
    return null;
  }
}
