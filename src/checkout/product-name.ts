/** How a product is called in a sentence. */
export function nameOf({ title, size }: { readonly title: string; readonly size: string }): string {
  return size === '' ? title : `${title}, size ${size}`;
}
