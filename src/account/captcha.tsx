import { useEffect, useRef, useState } from 'react';
import { captchaSettings, drawCaptcha, type Widget } from './captcha-script.ts';

const SETTINGS = captchaSettings(
  import.meta.env.VITE_CAPTCHA_PROVIDER,
  import.meta.env.VITE_CAPTCHA_SITE_KEY,
);

interface CaptchaProps {
  /** How many attempts have failed; each has used its token up. */
  readonly failures: number;
}

/** The widget of the CAPTCHA, with its token in a hidden field of the form around it. */
export function Captcha({ failures }: CaptchaProps) {
  const place = useRef<HTMLDivElement>(null);
  const widget = useRef<Widget>(null);
  const [token, setToken] = useState<string | null>(null);
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    let isGone = false;
    if (!place.current || !SETTINGS) return undefined;
    drawCaptcha(SETTINGS, place.current, setToken, () => setFailed(true))
      .then((drawn) => (isGone ? drawn.remove() : (widget.current = drawn)))
      .catch(() => setFailed(true));
    return () => {
      isGone = true;
      widget.current?.remove();
      widget.current = null;
    };
  }, []);

  useEffect(() => {
    if (failures === 0) return;
    setToken(null);
    widget.current?.reset();
  }, [failures]);

  return (
    <>
      <div ref={place} />
      <input type="hidden" name="captcha" value={token ?? ''} />
      <p role="status" className="fault">
        {hasFailed &&
          'The check that you are a person did not load. Allow it in your content blocker, or try again with another connection.'}
      </p>
    </>
  );
}
