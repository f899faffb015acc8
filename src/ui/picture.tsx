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
 *
 * Pictures from elsewhere are asked for with CORS first, so that the worker may keep them: an
 * opaque answer could be neither checked nor counted (Chromium pads each to about 7 MB of quota).
 * A host that does not allow CORS is asked once more without it, and its picture is not kept.
 */
export function Picture({ link, alt, isEager }: PictureProps) {
  const [failure, setFailure] = useState({ link, times: 0 });
  const times = failure.link === link ? failure.times : 0;
  const isElsewhere = link !== null && !link.startsWith('/');
  const hasFailed = times >= (isElsewhere ? 2 : 1);
  const src = link === null || hasFailed ? FALLBACK : link;
  const isCors = isElsewhere && times === 0;
  return (
    <img
      // Another element for the second attempt: browsers answer the same one from memory.
      key={times}
      className={styles['picture']}
      crossOrigin={isCors ? 'anonymous' : undefined}
      src={src}
      alt={alt}
      width={400}
      height={500}
      loading={isEager ? 'eager' : 'lazy'}
      decoding="async"
      onError={() => {
        if (src !== FALLBACK) setFailure({ link, times: times + 1 });
      }}
    />
  );
}
