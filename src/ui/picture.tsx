import { useState } from 'react';
import { FALLBACK, pictureSources } from './picture-sources.ts';
import styles from './picture.module.css';

interface PictureProps {
  readonly link: string | null;
  readonly alt: string;
  /** The width on screen, for the attribute of that name. */
  readonly sizes: string;
  /** Whether it is in the first row, which the browser loads before other pictures. */
  readonly isEager: boolean;
}

/** A product's picture, 4 to 5, or the fallback where the link is missing or fails. */
export function Picture({ link, alt, sizes, isEager }: PictureProps) {
  const [failure, setFailure] = useState({ link, times: 0 });
  const times = failure.link === link ? failure.times : 0;
  const source = link === null ? undefined : pictureSources(link, sizes)[times];
  return (
    <img
      // A new element for the next attempt, because a browser remembers the failure of the old one.
      key={times}
      className={styles['picture']}
      {...(source ?? { src: FALLBACK })}
      alt={alt}
      width={400}
      height={500}
      loading={isEager ? 'eager' : 'lazy'}
      fetchPriority={isEager ? 'high' : undefined}
      // The page loads these before React (src/first-visit/first-paint.ts): they are in its first frame.
      decoding={isEager ? 'sync' : 'async'}
      onError={() => {
        if (source) setFailure({ link, times: times + 1 });
      }}
    />
  );
}
