import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useForm } from './use-form.ts';
import { checkEmail } from './checks.ts';
import { EmailField } from './fields.tsx';
import { AccountForm, FormResult } from './form.tsx';
import styles from './form.module.css';
import { recoveryWords } from './link-words.ts';
import { AccountPage } from './page.tsx';
import { Link } from '../ui/link.tsx';

/** `/forgot-password`. */
export function ForgotPasswordPage() {
  const [params] = useSearchParams();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    check: checkEmail,
    send: (mutations, { email = '', captcha }) => mutations.requestPasswordReset(email, captcha),
    onDone: (_sent, { email = '' }) => setSentTo(email),
  });

  return (
    <AccountPage
      path="/forgot-password"
      notice={sentTo === null ? recoveryWords(params.get('link')) : null}
    >
      {sentTo === null ? (
        <AccountForm
          form={form}
          failureHeading="Sending Failed"
          label="Send me a link"
          busyLabel="Sending..."
          doing="Sending the mail"
          takesCaptcha
        >
          <EmailField autoComplete="email" fault={form.faults['email']} />
        </AccountForm>
      ) : (
        <FormResult>
          {`If there is an account for ${sentTo}, a mail with a link is on its way. The link works once.`}
        </FormResult>
      )}
      <p className={styles['links']}>
        <Link to="/login">Back to login</Link>
      </p>
    </AccountPage>
  );
}
