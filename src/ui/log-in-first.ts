import { notify } from './notices.ts';
import { rememberedKey, sessionKey } from './storage-key.ts';

/** What a visitor has tapped to add before logging in. After the login it is added, never toggled. */
export interface Wanted {
  readonly kind: 'cart.add' | 'favourite.add';
  readonly productId: number;
  readonly productName: string;
}

/** A change that waits for a login, until its tap is 30 minutes old. */
export interface DeferredChange extends Wanted {
  /** Made at the tap, and the id of the change in the outbox: done twice, it counts once. */
  readonly id: string;
  readonly tappedAtMs: number;
  /** Address of the shopper who has logged in or registered for it in this tab; null or absent until then. */
  readonly email?: string | null;
  /** Another tab has handed it over: the shopper is asked once more. */
  readonly isHandedOver?: true;
}

/** Where this tab keeps the change that its login was opened for (`deferred-change.ts`). */
export const deferredKey = rememberedKey(sessionKey('weft-deferred-change'));

/**
 * Asks a visitor to log in. The link in the alert names the change in the login's address, so that only
 * a login which was opened from this alert does it. Nothing is kept of an alert that is closed.
 *
 * @param wanted null for a tap that is not done after the login
 */
export function askToLogIn(text: string, wanted: Wanted | null): void {
  const id = crypto.randomUUID();
  const tappedAtMs = Date.now();
  const next = encodeURIComponent(location.pathname + location.search);
  notify('alert', text, {
    label: 'Log in',
    href: `/login?next=${next}${wanted ? `&add=${id}` : ''}`,
    uid: null,
    run() {
      const deferred: DeferredChange | null = wanted && { ...wanted, id, tappedAtMs };
      if (deferred) deferredKey.write(JSON.stringify(deferred));
    },
  });
}
