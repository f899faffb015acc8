import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { Link } from '../ui/link.tsx';
import { deferredWords, sendWithDeferred } from '../ui/deferred-change.ts';
import { useForm } from './use-form.ts';
import { checkRegistration } from './checks.ts';
import { EmailField, PasswordField } from './fields.tsx';
import { AccountForm, FormResult } from './form.tsx';
import styles from './form.module.css';
import { accountHref, nextPath } from './next.ts';
import { AccountPage } from './page.tsx';
import { SendAgain } from './send-again.tsx';
import { useShopper } from './queries.ts';

/** `/register`. */
export function RegisterPage() {
  const [params] = useSearchParams();
  const shopper = useShopper();
  /** The address that waits for its confirmation. */
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const next = nextPath(params.get('next'));
  const deferredId = params.get('add');
  const form = useForm({
    check: checkRegistration,
    send: (mutations, { email = '', password = '', captcha }) =>
      sendWithDeferred(deferredId, email, () => mutations.register(email, password, captcha)),
    // Without email confirmation the shopper is signed in at once, and this screen redirects.
    onDone: (outcome, { email = '' }) => setUnconfirmed(outcome === 'confirm' ? email : null),
  });

  if (shopper?.session === 'live') return <Navigate to={next} replace />;
  return (
    <AccountPage path="/register" notice={unconfirmed === null ? deferredWords(deferredId) : null}>
      {unconfirmed !== null ? (
        <>
          <FormResult>
            Registration successful! Please check your email to confirm your account, then you can
            sign in.
          </FormResult>
          <SendAgain email={unconfirmed} />
        </>
      ) : (
        <AccountForm
          form={form}
          failureHeading="Registration Error"
          label="Sign Up"
          busyLabel="Signing up..."
          doing="sign up"
          takesCaptcha
        >
          <EmailField autoComplete="email" fault={form.faults['email']} />
          <PasswordField isNew fault={form.faults['password']} />
        </AccountForm>
      )}
      <p className={styles['links']}>
        <span>
          Already have an account? <Link to={accountHref('/login', next, deferredId)}>Log in</Link>
        </span>
      </p>
    </AccountPage>
  );
}
