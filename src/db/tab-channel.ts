/**
 * What the tabs of this shop tell each other beside the database on the device, which a tab that had
 * to go on in memory does not share.
 */
export type TabMessage =
  /** Somebody has signed in, or out, on this device. */
  | { readonly kind: 'shopper'; readonly uid: string | null }
  /** A tab in memory has renewed the session that had this refresh token. */
  | { readonly kind: 'session'; readonly replaces: string; readonly text: string }
  /** Does another tab work with the device? */
  | { readonly kind: 'asked' }
  | { readonly kind: 'here' };

/** A tab that is awake answers within this time. */
const ANSWER_MS = 500;

export class TabChannel {
  #listeners = new Set<(message: TabMessage) => void>();
  /** Old browsers have none: then every tab takes itself for the only one. */
  #channel: BroadcastChannel | null = null;

  open(): void {
    if (this.#channel || !('BroadcastChannel' in globalThis)) return;
    this.#channel = new BroadcastChannel('weft-tabs');
    this.#channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = parseMessage(data);
      if (message) for (const listener of this.#listeners) listener(message);
    };
  }

  close(): void {
    this.#channel?.close();
    this.#channel = null;
  }

  /** A login may come before this tab listens. */
  post(message: TabMessage): void {
    this.open();
    this.#channel?.postMessage(message);
  }

  /** Calls back with what other tabs tell. Returns what ends it. */
  listen(listener: (message: TabMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether another tab answers that it works with the device. */
  isAnotherHere(): Promise<boolean> {
    if (!this.#channel) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (isHere: boolean) => {
        clearTimeout(timer);
        stop();
        resolve(isHere);
      };
      const timer = setTimeout(end, ANSWER_MS, false);
      const stop = this.listen(({ kind }) => {
        if (kind === 'here') end(true);
      });
      this.post({ kind: 'asked' });
    });
  }
}

/** Null for what another version of the shop may say. */
function parseMessage(data: unknown): TabMessage | null {
  const { kind, uid, replaces, text } = (data ?? {}) as Readonly<Record<string, unknown>>; // looked at below
  if (kind === 'asked' || kind === 'here') return { kind };
  if (kind === 'shopper' && (uid === null || typeof uid === 'string')) return { kind, uid };
  if (kind === 'session' && typeof replaces === 'string' && typeof text === 'string') {
    return { kind, replaces, text };
  }
  return null;
}

export const tabs = new TabChannel();
