import { notify } from './notices.ts';

/** When the phone lets a tap wait. `isKept`: it is done even if the page goes before. */
export function announceWaiting(isKept: boolean): void {
  const words = 'Waiting for this device’s storage.';
  notify('status', isKept ? `${words} What you tapped is kept.` : words);
}

/** When the phone could not keep a change: nothing was confirmed, so nothing has to be undone. */
export function announceNotStored(): void {
  notify(
    'alert',
    'This could not be saved on your phone. Nothing was changed. Its storage may be full or blocked.',
  );
}
