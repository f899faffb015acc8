import { useEffect, useRef, useState } from 'react';
import { type CaptchaState, drawCaptcha, FAILED, type Widget } from './captcha-script.ts';

interface CaptchaProps {
  readonly siteKey: string;
  /** How many tries have failed. Each has used its token up. */
  readonly failureCount: number;
}

/** The widget of the CAPTCHA, with its token in a hidden field of the form around it. */
export function Captcha({ siteKey, failureCount }: CaptchaProps) {
  const container = useRef<HTMLDivElement>(null);
  const widget = useRef<Widget>(null);
  const [{ token, hasFailed }, setState] = useState<CaptchaState>({
    token: null,
    hasFailed: false,
  });

  useEffect(() => {
    let isGone = false;
    async function draw(): Promise<void> {
      if (!container.current) return;
      const drawn = await drawCaptcha(siteKey, container.current, setState);
      if (isGone) drawn.remove();
      else widget.current = drawn;
    }
    draw().catch(() => setState(FAILED));
    return () => {
      isGone = true;
      widget.current?.remove();
      widget.current = null;
    };
  }, [siteKey]);

  useEffect(() => {
    if (failureCount === 0) return;
    setState((before) => ({ ...before, token: null }));
    widget.current?.reset();
  }, [failureCount]);

  return (
    <>
      <div ref={container} />
      <input type="hidden" name="captcha" value={token ?? ''} />
      <p role="status" className="fault">
        {hasFailed &&
          'We couldn’t load the “Are you human?” check. Turn off your ad blocker for this site, or try another connection.'}
      </p>
    </>
  );
}
