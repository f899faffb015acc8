import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useOnline } from '../ui/online.ts';
import type { FormState } from './use-form.ts';
import { Captcha } from './captcha.tsx';
import styles from './form.module.css';

interface AccountFormProps {
  readonly form: FormState;
  readonly failureHeading: string;
  readonly label: string;
  readonly busyLabel: string;
  /** The end of the sentence "You’re offline, so you can’t … yet", such as "log in". */
  readonly doing: string;
  /** Whether the auth service asks for a CAPTCHA's token with this form, where the shop has a CAPTCHA. */
  readonly takesCaptcha?: boolean;
  /** Whether the form's button is not the main one on the screen. */
  readonly isQuiet?: boolean;
  readonly children?: ReactNode;
}

export function AccountForm(props: AccountFormProps) {
  const { form, children } = props;
  const isOnline = useOnline();
  return (
    // Password managers need a real form with a method. The fields show the shop's own messages.
    <form
      className={styles[children ? 'form' : 'bare']}
      method="post"
      noValidate
      onSubmit={form.submit}
      onInput={form.clearFault}
    >
      {form.failure !== null && (
        <FailureBox heading={props.failureHeading}>{form.failure}</FailureBox>
      )}
      <output className={styles['offline']}>
        {!isOnline &&
          `You’re offline, so you can’t ${props.doing} yet.${children ? ' We’ll keep what you type.' : ''}`}
      </output>
      {children}
      {/* A build for a shop without a CAPTCHA leaves the CAPTCHA's code out. */}
      {import.meta.env.VITE_TURNSTILE_SITE_KEY && props.takesCaptcha && (
        <Captcha
          siteKey={import.meta.env.VITE_TURNSTILE_SITE_KEY}
          failureCount={form.failureCount}
        />
      )}
      {/* Not `disabled` while busy: the button would lose the focus. */}
      <button
        type="submit"
        className={props.isQuiet ? 'quiet' : 'button'}
        aria-disabled={form.isBusy}
      >
        {form.isBusy ? props.busyLabel : props.label}
      </button>
    </form>
  );
}

/** Takes the focus when it appears: a screen reader reads it, and the next Tab enters the form. */
function FailureBox({
  heading,
  children,
}: {
  readonly heading: string;
  readonly children: string;
}) {
  const id = useId();
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section ref={box} className={styles['failure']} tabIndex={-1} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <p>{children}</p>
    </section>
  );
}

/** The result of a form, shown in its place. It takes the focus, which was in the form. */
export function FormResult({ children }: { readonly children: ReactNode }) {
  const outcome = useRef<HTMLParagraphElement>(null);
  useEffect(() => outcome.current?.focus(), []);
  return (
    <p ref={outcome} className={styles['notice']} tabIndex={-1}>
      {children}
    </p>
  );
}
