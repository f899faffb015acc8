/**
 * Makes the catalogue throw while React draws it, as a mistake in the shop's own code would. Runs in the page before
 * its own scripts. Only `formatCount` replaces by a pattern with three digits, and the catalogue counts its products.
 */
export function stopCatalogue(): void {
  const { replace } = String.prototype;
  Reflect.set(String.prototype, 'replace', function (this: string, ...args: [RegExp, string]) {
    if (String(args[0]).includes(String.raw`\d{3}`)) throw new Error('a mistake in the shop');
    return Reflect.apply(replace, this, args);
  });
}
