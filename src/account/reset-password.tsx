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
      {isChanged && <FormResult>Your new password is saved, and you are signed in.</FormResult>}
      {mayChange && !isChanged && (
        <AccountForm
          form={form}
          failureHeading="Saving Failed"
          label="Save password"
          busyLabel="Saving..."
          doing="Saving the password"
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
            {isAccountKnown && !mayChange ? 'Ask for a link' : 'Ask for another link'}
          </Link>
        )}
      </p>
    </AccountPage>
  );
}

const NO_LINK =
  'You are signed in. A new password also takes a link, which comes by mail and leads back here.';

/**
 * States in which the form may change the password of the signed-in account: no link asks for anything else any
 * more. In the others the user came by a link that is being checked or did not work, and which may be of another
 * account. They read about that link, even where an earlier link of this tab still permits a change.
 */
const SETTLED: ReadonlySet<LinkState> = new Set(['none', 'confirmed', 'recovery']);

const WORDS: Readonly<Record<LinkState, string>> = {
  none: 'Open the link in the mail that we sent you; it leads back here.',
  checking: 'Looking at the link…',
  confirmed: 'Your email is confirmed. For a new password, ask for another link.',
  recovery: 'Looking at the link…',
  elsewhere:
    'This link was asked for in another browser, and works only there. Open it there, or ask for another link here.',
  rejected: 'The link has expired or was used already.',
  offline: 'The link could not be checked without a connection. Load this page again to retry.',
  other: 'You are signed in with another account. Log out, then ask for another link.',
};
