import { notify } from './notices.ts';

/** When the phone could not keep a change: nothing was confirmed, so nothing has to be undone. */
export function tellNotStored(): void {
  notify(
    'alert',
    'This could not be saved on your phone. Nothing was changed. Its storage may be full or blocked.',
  );
}
