/** The name of a file that the shop hands out, such as `weft-catalogue.csv`; it begins with the shop's name. */
export function shopFile(name: string, shop = import.meta.env.VITE_STORE_NAME): string {
  const words = shop.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...words, name].join('-');
}
