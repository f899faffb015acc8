/** Writes to the browser's console, to which the page refers the user for details. */
export function printDetails(heading: string, details: unknown): void {
  console.error(heading, details);
}
