import { createRoot } from 'react-dom/client';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

/**
 * Asks whether to sign in as the shopper whose link for a new password was followed. The dialog has a React
 * root of its own, so that the scripts of the first screen need not contain it.
 */
export function askToSignIn(email: string): Promise<boolean> {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  return new Promise((resolve) => {
    const onAnswer = (isYes: boolean) => {
      resolve(isYes);
      root.unmount();
      container.remove();
    };
    root.render(
      <ConfirmDialog
        isOpen
        heading={`Sign in as ${email}?`}
        no="Not now"
        yes="Sign in"
        onAnswer={onAnswer}
      >
        The link that you followed is for a new password of this account, and signs you in. Go on
        only if it is yours: in somebody else’s account, that person can read what you type here,
        such as your address.
      </ConfirmDialog>,
    );
  });
}
