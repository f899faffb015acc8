import { notify } from './notices.ts';

/** Tells the user that a tap is not saved yet, or that nothing waits to be saved any more. */
export function announceWait(wait: 'long' | 'over'): void {
  notify('status', wait === 'over' ? 'Your change is saved.' : 'Your change isn’t saved yet.');
}

/** Tells the user that the phone could not store a change. The screen never showed it, so nothing is undone. */
export function announceNotStored(): void {
  notify(
    'alert',
    'We couldn’t save this on your device. Its storage may be full or blocked. Nothing has changed.',
  );
}
