/** What a shop says of delivery, returns, care or sizes: an address to link to, or a short text to show. */
export type ShopNote = { readonly href: string } | { readonly text: string };

/** The address of a note; null where it is a text, or there is none. */
export function hrefOf(note: ShopNote | null): string | null {
  return note !== null && 'href' in note ? note.href : null;
}

/** The address at which a shopper writes to the shop about something; a mail gets it as its subject. */
export function contactAbout(contact: string, subject: string): string {
  if (!contact.startsWith('mailto:')) return contact;
  return `${contact}${contact.includes('?') ? '&' : '?'}subject=${encodeURIComponent(subject)}`;
}
