import { useEffect, useState } from 'react';
import { onWakeUp } from '../browser/page-events.ts';
import { isHostReached } from './host-reached.ts';
import { FALLBACK, LATER, pictureSources } from './picture-sources.ts';
import styles from './picture.module.css';

interface PictureProps {
  readonly link: string | null;
  readonly alt: string;
  /** The attribute `sizes`: the width on screen. */
  readonly sizes: string;
  /** Whether the picture is in the first row: the browser loads these before other pictures. */
  readonly isEager: boolean;
}

/**
 * A product's picture, 4:5, or the fallback where the link is missing or fails. Where the host does not
 * answer, a drawing says that the picture will follow; the browser requests the picture again when the network
 * or the user comes back.
 */
export function Picture({ link, alt, sizes, isEager }: PictureProps) {
  // `failed`: how many of the sources have failed in this round; `round`: how many rounds were tried before.
  const [failure, setFailure] = useState({ link, failed: 0, round: 0 });
  const { failed, round } = failure.link === link ? failure : { failed: 0, round: 0 };
  const sources = link === null ? [] : pictureSources(link, sizes);
  const isMissing = link !== null && failed >= sources.length;
  const [isHostThere, setHostThere] = useState(false);

  useEffect(() => {
    if (!isMissing) return;
    let isStale = false;
    const ask = async () => {
      const isReached = await isHostReached();
      if (!isStale) setHostThere(isReached);
    };
    void ask();
    return () => {
      isStale = true;
    };
  }, [isMissing, round]);

  useEffect(() => {
    if (!isMissing || isHostThere) return;
    return onWakeUp(() => setFailure({ link, failed: 0, round: round + 1 }));
  }, [isMissing, isHostThere, link, round]);

  return (
    <img
      // A new element for the next try, because a browser remembers the failure of the old one.
      key={`${round} ${failed}`}
      className={styles['picture']}
      {...(sources[failed] ?? { src: isMissing && !isHostThere ? LATER : FALLBACK })}
      alt={alt}
      width={400}
      height={500}
      loading={isEager ? 'eager' : 'lazy'}
      fetchPriority={isEager ? 'high' : undefined}
      // The page loads eager pictures before React (src/first-visit/first-paint.ts): they are in its first frame.
      decoding={isEager ? 'sync' : 'async'}
      onError={() => {
        // Not for the fallback, which would then be requested without end.
        if (failed < sources.length) setFailure({ link, failed: failed + 1, round });
      }}
    />
  );
}
