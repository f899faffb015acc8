import { notify } from './notices.ts';

/** Tells the user that a tap is not saved yet, or that nothing waits to be saved any more (`isOver`). */
export function announceWait(isOver: boolean): void {
  notify('status', isOver ? 'What you tapped is saved.' : 'What you tapped is not saved yet.');
}

/** Tells the user that the phone could not store a change. The screen never showed it, so nothing is undone. */
export function announceNotStored(): void {
  notify(
    'alert',
    'This could not be saved on your phone. Nothing was changed. Its storage may be full or blocked.',
  );
}
