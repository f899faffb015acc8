import { notify } from './notices.ts';

/** Tells the user that a tap waits for the phone's storage. `isKept`: a reload does not lose the tap. */
export function announceWaiting(isKept: boolean): void {
  const words = 'Waiting for this device’s storage.';
  notify('status', isKept ? `${words} What you tapped is kept.` : words);
}

/** Tells the user that the phone could not store a change. The screen never showed it, so nothing is undone. */
export function announceNotStored(): void {
  notify(
    'alert',
    'This could not be saved on your phone. Nothing was changed. Its storage may be full or blocked.',
  );
}
