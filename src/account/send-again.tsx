import { useState } from 'react';
import { AccountForm, FormResult } from './form.tsx';
import { useForm } from './use-form.ts';

/** A form that mails the link which confirms an email address once more. */
export function SendAgain({ email }: { readonly email: string }) {
  const [isSent, setSent] = useState(false);
  const form = useForm({
    check: () => ({}),
    send: (mutations, { captcha }) => mutations.resendConfirmation(email, captcha),
    onDone: () => setSent(true),
  });
  if (isSent) return <FormResult>{`We sent it again to ${email}.`}</FormResult>;
  return (
    <AccountForm
      form={form}
      failureHeading="Not Sent"
      label="Send it again"
      busyLabel="Sending..."
      doing="get the email"
      takesCaptcha
      isQuiet
    />
  );
}
