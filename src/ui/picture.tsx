import { useState } from 'react';
import styles from './picture.module.css';

const FALLBACK = '/pictures/none.svg';

interface PictureProps {
  readonly link: string | null;
  readonly alt: string;
  /** In the first row: asked for at once. */
  readonly isEager: boolean;
}

/**
 * A product's picture, 4 to 5, or the fallback where the link is missing or fails.
 * Pictures from elsewhere are asked for with CORS: an opaque answer could be neither checked nor
 * counted by the cache (Chromium pads each to about 7 MB of quota).
 */
export function Picture({ link, alt, isEager }: PictureProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const src = link === null || link === failed ? FALLBACK : link;
  return (
    <img
      className={styles['picture']}
      src={src}
      alt={alt}
      width={400}
      height={500}
      loading={isEager ? 'eager' : 'lazy'}
      decoding="async"
      crossOrigin={src.startsWith('/') ? undefined : 'anonymous'}
      onError={() => {
        if (src !== FALLBACK) setFailed(link);
      }}
    />
  );
}
