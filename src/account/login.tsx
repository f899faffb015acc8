import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { Link } from '../ui/link.tsx';
import { deferredWords, sendWithDeferred } from '../ui/deferred-change.ts';
import { useForm } from './use-form.ts';
import { checkLogin } from './checks.ts';
import { EmailField, PasswordField } from './fields.tsx';
import { AccountForm } from './form.tsx';
import styles from './form.module.css';
import { accountHref, nextPath } from './next.ts';
import { AccountPage } from './page.tsx';
import { useShopper } from './queries.ts';
import { SendAgain } from './send-again.tsx';

/** `/login`. Redirects once the shopper is signed in, in this tab or in another. */
export function LoginPage() {
  const [params] = useSearchParams();
  const shopper = useShopper();
  const next = nextPath(params.get('next'));
  const deferredId = params.get('add');
  const [triedEmail, setTriedEmail] = useState('');
  const form = useForm({
    check: checkLogin,
    send: (mutations, { email = '', password = '', captcha }) => {
      setTriedEmail(email);
      return sendWithDeferred(deferredId, email, () => mutations.signIn(email, password, captcha));
    },
    onDone: () => undefined,
  });

  const isSignedIn = shopper?.session === 'live';
  const emailKey = useEmailKey(shopper?.uid);
  if (isSignedIn) return <Navigate to={next} replace />;
  const hasEnded = shopper?.session === 'ended';
  const notice = hasEnded ? ENDED : deferredWords(deferredId);
  return (
    <AccountPage path="/login" notice={notice}>
      <AccountForm
        form={form}
        failureHeading="Login Failed"
        label="Log in"
        busyLabel="Logging in..."
        doing="log in"
        takesCaptcha
      >
        <EmailField
          autoComplete="username"
          key={emailKey}
          // The tab may read the shopper late. Then the browser shows the email only if the user has not typed yet.
          defaultValue={shopper?.email ?? ''}
          fault={form.faults['email']}
        />
        <PasswordField fault={form.faults['password']} />
      </AccountForm>
      {form.failureCode === 'email_not_confirmed' && (
        <SendAgain key={triedEmail} email={triedEmail} />
      )}
      <p className={styles['links']}>
        <Link to="/forgot-password">Forgot your password?</Link>
        <span>
          New here? <Link to={accountHref('/register', next, deferredId)}>Create an account</Link>
        </span>
      </p>
    </AccountPage>
  );
}

/**
 * A key that changes when a known shopper is replaced or logs out, perhaps in another tab, so that the form does not
 * show their email any more. It stays when the tab learns late who the shopper is: the user may have typed by then.
 */
function useEmailKey(uid: string | undefined): number {
  const [known, setKnown] = useState({ uid, key: 0 });
  if (known.uid === uid) return known.key;
  const key = known.uid === undefined ? known.key : known.key + 1;
  setKnown({ uid, key });
  return key;
}

const ENDED = 'Your session has ended. Your cart is still here. Log in again to save your changes.';
