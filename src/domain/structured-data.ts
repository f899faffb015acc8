/** What the shop tells search engines about products, for the page and for the host's functions. */

/** JSON as the text of a script element. Escapes `<`, so that no `</script>` or `<!--` ends the element. */
export function scriptText(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

/** The absolute address of a picture; undefined if the link is no URL. */
export function absoluteAddress(link: string, site: string): string | undefined {
  return URL.canParse(link, site) ? new URL(link, site).href : undefined;
}
