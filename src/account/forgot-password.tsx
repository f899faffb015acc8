import { useState } from 'react';
import { useForm } from './use-form.ts';
import { checkEmail } from './checks.ts';
import { EmailField } from './fields.tsx';
import { AccountForm, FormResult } from './form.tsx';
import styles from './form.module.css';
import { AccountPage } from './page.tsx';
import { Link } from '../ui/link.tsx';

/** `/forgot-password`. */
export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    check: checkEmail,
    send: (mutations, { email = '', captcha }) => mutations.requestPasswordReset(email, captcha),
    onDone: (_sent, { email = '' }) => setSentTo(email),
  });

  return (
    <AccountPage path="/forgot-password">
      {sentTo === null ? (
        <AccountForm
          form={form}
          failureHeading="Couldn’t Send the Link"
          label="Send me a link"
          busyLabel="Sending..."
          doing="get the link"
          takesCaptcha
        >
          <EmailField autoComplete="email" fault={form.faults['email']} />
        </AccountForm>
      ) : (
        <FormResult>
          {`Check your email. If ${sentTo} has an account, we’ve sent a link there. It works only once.`}
        </FormResult>
      )}
      <p className={styles['links']}>
        <Link to="/login">Back to login</Link>
      </p>
    </AccountPage>
  );
}
