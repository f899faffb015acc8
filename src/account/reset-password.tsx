import { useState } from 'react';
import { useForm } from './use-form.ts';
import { checkNewPassword } from './checks.ts';
import { HiddenUsername, PasswordField } from './fields.tsx';
import { AccountForm, FormResult } from './form.tsx';
import styles from './form.module.css';
import { Link } from '../ui/link.tsx';
import { useStore } from '../ui/use-store.ts';
import { linkStore, type LinkState } from './link.ts';
import { AccountPage } from './page.tsx';
import { useShopper } from './queries.ts';
import { endRecovery, mayRecover } from './recovery.ts';

/** `/reset-password`: the link for a forgotten password leads here. */
export function ResetPasswordPage() {
  const shopper = useShopper();
  const link = useStore(linkStore);
  // The time of opening, because a permission that ends while the form is open must not remove the form.
  const [openedAtMs] = useState(() => Date.now());
  const [isChanged, setChanged] = useState(false);
  const form = useForm({
    check: checkNewPassword,
    send: (mutations, { password = '' }) => mutations.changePassword(password),
    onDone: () => {
      endRecovery();
      setChanged(true);
    },
  });

  const isAccountKnown = shopper?.session === 'live' && SETTLED.has(link);
  const mayChange = isAccountKnown && mayRecover(shopper.uid, openedAtMs);
  const notice = isAccountKnown ? NO_LINK : WORDS[link];
  return (
    <AccountPage path="/reset-password" notice={mayChange || isChanged ? null : notice}>
      {isChanged && <FormResult>Your new password is saved, and you’re logged in.</FormResult>}
      {mayChange && !isChanged && (
        <AccountForm
          form={form}
          failureHeading="Couldn’t Save Your Password"
          label="Save password"
          busyLabel="Saving..."
          doing="save your password"
        >
          <HiddenUsername email={shopper.email} />
          <PasswordField label="New password" isNew fault={form.faults['password']} />
        </AccountForm>
      )}
      <p className={styles['links']}>
        {isChanged ? (
          <Link to="/">Continue shopping</Link>
        ) : (
          <Link to="/forgot-password">
            {isAccountKnown && !mayChange ? 'Get a link' : 'Get a new link'}
          </Link>
        )}
      </p>
    </AccountPage>
  );
}

const NO_LINK =
  'You’re logged in. To choose a new password, you’ll also need the link from our email.';

/**
 * States in which the form may change the password of the signed-in account. In the other states the user came by
 * a link that is being checked or did not work, and it may be of another account. The user reads about that link,
 * even where an earlier link of this tab still permits a change.
 */
const SETTLED: ReadonlySet<LinkState> = new Set(['none', 'confirmed', 'recovery']);

const WORDS: Readonly<Record<LinkState, string>> = {
  none: 'Check your email and open the link we sent you.',
  checking: 'Checking your link…',
  confirmed: 'Your email is confirmed. To choose a new password, get a new link.',
  recovery: 'Checking your link…', // until the tab has read the account that the link signed in
  elsewhere:
    'This link only works in the browser where you asked for it. Open it there, or get a new link here.',
  rejected: 'This link has expired or was already used.',
  offline: 'You’re offline, so we couldn’t check your link. Reload this page to try again.',
  other: 'You’re logged in with another account. Log out, then get a new link.',
};
