import { useState } from 'react';
import { FALLBACK, pictureSources } from './picture-sources.ts';
import styles from './picture.module.css';

interface PictureProps {
  readonly link: string | null;
  readonly alt: string;
  /** How wide it is shown, as in the attribute of that name. */
  readonly sizes: string;
  /** In the first row: asked for at once, before others. */
  readonly isEager: boolean;
}

/** A product's picture, 4 to 5, or the fallback where the link is missing or fails. */
export function Picture({ link, alt, sizes, isEager }: PictureProps) {
  const [failure, setFailure] = useState({ link, times: 0 });
  const times = failure.link === link ? failure.times : 0;
  const source = link === null ? undefined : pictureSources(link, sizes)[times];
  return (
    <img
      // Another element for the next attempt: browsers answer the same one from memory.
      key={times}
      className={styles['picture']}
      {...(source ?? { src: FALLBACK })}
      alt={alt}
      width={400}
      height={500}
      loading={isEager ? 'eager' : 'lazy'}
      fetchPriority={isEager ? 'high' : undefined}
      // Asked for before React came (src/first-visit/first-paint.ts): they come with the first frame, not behind it.
      decoding={isEager ? 'sync' : 'async'}
      onError={() => {
        if (source) setFailure({ link, times: times + 1 });
      }}
    />
  );
}
