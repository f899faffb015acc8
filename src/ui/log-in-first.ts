import { notify } from './notices.ts';
import { rememberedKey, sessionKey } from '../browser/storage-key.ts';

/** A product that a visitor has tapped to add before logging in. After the login it is added, never toggled. */
export interface Wanted {
  readonly kind: 'cart.add' | 'favourite.add';
  readonly productId: number;
  readonly productName: string;
}

/** A change that waits for a login, until its tap is 30 minutes old. */
export interface DeferredChange extends Wanted {
  /** Made at the tap. The change in the outbox has this id too, so it counts once if it is made twice. */
  readonly id: string;
  readonly tappedAtMs: number;
  /** Email address of the shopper who has logged in or registered for the change; null or absent until then. */
  readonly email?: string | null;
}

/** The key of the change for which this tab has opened the login (`deferred-change.ts`). */
export const deferredKey = rememberedKey(sessionKey('weft-deferred-change'));

/**
 * Asks a visitor to log in. The link in the alert puts the change's id into the login's address, so that only
 * a login that was opened from this alert makes the change. Closing the alert stores nothing.
 *
 * @param wanted null for a tap that is not repeated after the login
 */
export function askToLogIn(text: string, wanted: Wanted | null): void {
  const id = crypto.randomUUID();
  const tappedAtMs = Date.now();
  notify('alert', text, {
    label: 'Log in',
    href: `${loginHere()}${wanted ? `&add=${id}` : ''}`,
    uid: null,
    run() {
      const deferred: DeferredChange | null = wanted && { ...wanted, id, tappedAtMs };
      if (deferred) deferredKey.write(JSON.stringify(deferred));
    },
  });
}

/** The login's address, from which a login leads back to the page on screen. */
export function loginHere(): string {
  return `/login?next=${encodeURIComponent(location.pathname + location.search)}`;
}
