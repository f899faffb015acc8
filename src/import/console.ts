/** The only code that writes to the browser's console; the screen points there (spec, section 2). */
export function printDetails(what: string, details: unknown): void {
  console.error(what, details);
}
