/** Escapes a text for HTML and XML, also inside quotation marks. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** Replaces control characters, which steer a terminal and which the database cannot all store. */
export function replaceControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\uFFFD');
}
