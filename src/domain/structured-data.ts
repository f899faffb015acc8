/** What the shop tells search engines about products, for the page and for the host's functions. */

/** JSON as the text of a script element: without `<` no `</script>` or `<!--` can end the element. */
export function scriptText(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

/** The whole address of a picture, or undefined where a product file names none that can be read. */
export function absoluteAddress(link: string, site: string): string | undefined {
  return URL.canParse(link, site) ? new URL(link, site).href : undefined;
}
