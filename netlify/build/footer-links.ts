/** The links at the foot of every page, from the settings of the shop. */

export interface FooterLink {
  readonly label: string;
  readonly href: string;
}

const SETTINGS = [
  ['VITE_PRIVACY_URL', 'Privacy'],
  ['VITE_TERMS_URL', 'Terms'],
  ['VITE_RETURNS_URL', 'Returns'],
  ['VITE_CONTACT_URL', 'Contact'],
] as const;

const SCHEMES = new Set(['https:', 'mailto:']);

/**
 * The links whose setting is set, in the order above; null for none, so that the bundler drops their code.
 *
 * @throws with a sentence for the person who builds the shop
 */
export function footerLinks(
  read: (name: string) => string | undefined,
): readonly FooterLink[] | null {
  const links = SETTINGS.flatMap(([name, label]) => {
    const text = read(name)?.trim();
    if (!text) return [];
    const url = URL.parse(text);
    if (url === null || !SCHEMES.has(url.protocol)) {
      throw new Error(
        `${name} must be a whole address, such as https://your.shop/${label.toLowerCase()} or ` +
          `mailto:help@your.shop; it is "${text}".`,
      );
    }
    return [{ label, href: url.href }];
  });
  return links.length > 0 ? links : null;
}
