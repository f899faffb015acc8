/**
 * The text of regular expressions for addresses that the host may resize: pictures in this shop's own storage
 * at Supabase, and no others. The host looks for a match anywhere in an address, so each begins with
 * `^https://` and has its dots escaped: addresses of other projects must not match.
 *
 * @param backendUrl the Supabase project's address
 */
export function remoteImages(backendUrl: string): string[] {
  const { protocol, host } = URL.parse(backendUrl) ?? {};
  if (protocol !== 'https:' || host === undefined) return [];
  return [`^https://${host.replaceAll('.', String.raw`\.`)}/storage/v1/object/public/`];
}
