/**
 * Finds what would publish a secret: the build copies every `VITE_` and `SHOP_` variable into the page, where
 * all visitors can read it. A secret is recognised by its form, or because a variable with a secret's name has the
 * same value: PayPal's secrets look like its client ids.
 */

type Environment = Readonly<Record<string, string | undefined>>;

/** In characters. A shorter value is no secret: several variables may have it by chance. */
export const SHORTEST_SECRET = 8;

/** The names of the variables that would publish a secret. */
export function publicSecrets(environment: Environment): string[] {
  const secrets = secretValues(environment);
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (!PUBLIC_NAME.test(name)) return [];
    const text = bare(value);
    return hasSecretForm(text) || (secrets.has(text) && !isPublishable(text)) ? [name] : [];
  });
}

/** Removes what people paste around a value: quotes, `Bearer `, invisible characters. */
function bare(value: string): string {
  return value.replace(/^(Bearer\s|[\s\p{Cf}'"`])+|[\s\p{Cf}'"`]+$/giu, '');
}

const PUBLIC_NAME = /^(VITE|SHOP)_/;
const SECRET_NAME = /SECRET|TOKEN|PASSWORD|PRIVATE_KEY|(DB|DATABASE|WEBHOOK)_URL$/;

function secretValues(environment: Environment): ReadonlySet<string> {
  const values = Object.entries(environment)
    .filter(([name]) => !PUBLIC_NAME.test(name) && SECRET_NAME.test(name))
    .map(([, value = '']) => bare(value));
  return new Set(values.filter((value) => value.length >= SHORTEST_SECRET));
}

const FORMS = [
  // Supabase: secret key, access token. Stripe: secret and restricted keys, a webhook's secret.
  /^(sb_secret_|sbp_|[sr]k_(live|test)_|whsec_)/,
  // Turnstile's site keys begin like its secrets, but have 24 characters.
  /^[0-3]x[\w-]{33,}$/,
  // An address at which anyone who knows it may write to a chat.
  /^https:\/\/(hooks\.slack\.com|discord(app)?\.com\/api\/webhooks)\//,
  // A database's address with a password. People often forget to escape `#` and `/` in it: `URL.parse` then fails.
  /^postgres(ql)?:\/\/.*(:.*@|[?&]password=)/,
];

function hasSecretForm(text: string): boolean {
  if (FORMS.some((form) => form.test(text)) || roleOf(text) === 'service_role') return true;
  return (URL.parse(text)?.password ?? '') !== '';
}

/** Whether a key is made for pages. It is no secret, even if a variable with a secret's name holds it too. */
function isPublishable(key: string): boolean {
  return /^(sb_publishable_|pk_(live|test)_)/.test(key) || roleOf(key) === 'anon';
}

/** The role in a Supabase key of the older kind, which is a JWT; null or undefined for anything else. */
export function roleOf(key: string): unknown {
  try {
    const [, claims = ''] = key.split('.');
    return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { role?: unknown }).role;
  } catch {
    return null;
  }
}
