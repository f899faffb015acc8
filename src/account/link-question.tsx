import { createRoot } from 'react-dom/client';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

/**
 * Asks whether to sign in as the shopper whom a link for a new password belongs to. It has a root of its
 * own: the first screen does not carry a dialog that few visitors ever see.
 */
export function askToSignIn(email: string): Promise<boolean> {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  return new Promise((resolve) => {
    const answer = (isYes: boolean) => {
      resolve(isYes);
      root.unmount();
      place.remove();
    };
    root.render(
      <ConfirmDialog
        isOpen
        heading={`Sign in as ${email}?`}
        no="Not now"
        yes="Sign in"
        onAnswer={answer}
      >
        The link that you followed is for a new password of this account, and signs you in. Go on
        only if it is yours: in somebody else’s account, that person can read what you type here,
        such as your address.
      </ConfirmDialog>,
    );
  });
}
