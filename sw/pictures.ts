/** Whether the worker may cache a picture: the shop's own, or another site's requested with CORS. */
export function mayCachePicture(request: Request, url: URL, origin: string): boolean {
  if (request.destination !== 'image') return false;
  return url.origin === origin ? isOurPicture(url) : request.mode === 'cors';
}

/**
 * The addresses in the message by which a page names the pictures that it shows (`src/pwa/versions.ts`), so
 * that the worker keeps them. Others than the shop's own are left out.
 */
export function sentPictures(message: unknown, origin: string): string[] {
  if (typeof message !== 'object' || message === null || !('pictures' in message)) return [];
  const { pictures } = message;
  if (!Array.isArray(pictures)) return [];
  return pictures.filter((link): link is string => {
    if (typeof link !== 'string' || !URL.canParse(link)) return false;
    const url = new URL(link);
    return url.origin === origin && isOurPicture(url);
  });
}

function isOurPicture(url: URL): boolean {
  return url.pathname.startsWith('/pictures/') || url.pathname === '/.netlify/images';
}
