/** Pictures that may be kept: our own, and others that were asked for with CORS. */
export function isPicture(request: Request, url: URL, origin: string): boolean {
  if (request.destination !== 'image') return false;
  return url.origin === origin ? isOurPicture(url) : request.mode === 'cors';
}

/** The addresses in a message of `registerServiceWorker`; only our own pictures are taken. */
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
