/** Every browser takes this many arguments in one call. */
const MOST_ARGUMENTS = 0x8000;

/**
 * Packs a part's text by gzip.
 *
 * @param csv the inside of a JSON string, in UTF-8
 * @returns base64
 */
export async function pack(csv: Uint8Array<ArrayBuffer>): Promise<string> {
  const text: unknown = JSON.parse(`"${new TextDecoder().decode(csv)}"`);
  const gzip = new CompressionStream('gzip');
  // Writes the text itself: the stream of a Blob would send each byte to the browser's process and back.
  const writer = gzip.writable.getWriter();
  const writing = Promise.all([
    writer.write(new TextEncoder().encode(String(text))),
    writer.close(),
  ]);
  const [packed] = await Promise.all([new Response(gzip.readable).arrayBuffer(), writing]);
  return base64Of(new Uint8Array(packed));
}

/** `Uint8Array.prototype.toBase64` is missing in browsers of 2025. */
function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += MOST_ARGUMENTS) {
    // Spreading the bytes into arguments (`...`) takes ten times as long.
    binary += Reflect.apply(String.fromCharCode, null, bytes.subarray(at, at + MOST_ARGUMENTS));
  }
  return btoa(binary);
}
