/** Pictures that may be kept: our own, and others that were asked for with CORS. */
export function isPicture(request: Request, url: URL, origin: string): boolean {
  if (request.destination !== 'image') return false;
  return url.origin === origin ? url.pathname.startsWith('/pictures/') : request.mode === 'cors';
}
