import { fieldsOf } from '../domain/fields.ts';

/**
 * Messages between the tabs of this shop. They reach a tab that works in memory, too, which does not
 * see what other tabs write to the device.
 */
export type TabMessage =
  /** A user has signed in on this device, or out (null). */
  | { readonly kind: 'shopper'; readonly uid: string | null }
  /** A tab in memory has renewed the session that had this refresh token. */
  | { readonly kind: 'session'; readonly replaces: string; readonly text: string }
  /** Asks for tabs that work with the device; they answer `here`. */
  | { readonly kind: 'asked' }
  | { readonly kind: 'here' };

/** A tab that is awake answers within this time. */
const ANSWER_MS = 500;

export class TabChannel {
  #listeners = new Set<(message: TabMessage) => void>();
  /** Null until `open`, and always in a browser without `BroadcastChannel`. Then the tab behaves as the only one. */
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

  /** Sends a message to the other tabs. A login may come before `open`, so this opens the channel too. */
  post(message: TabMessage): void {
    this.open();
    this.#channel?.postMessage(message);
  }

  /** Calls `listener` with other tabs' messages. Returns a function that stops this. */
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

/** Null for a message that only another build knows. */
function parseMessage(data: unknown): TabMessage | null {
  const { kind, uid, replaces, text } = fieldsOf(data);
  if (kind === 'asked' || kind === 'here') return { kind };
  if (kind === 'shopper' && (uid === null || typeof uid === 'string')) return { kind, uid };
  if (kind === 'session' && typeof replaces === 'string' && typeof text === 'string') {
    return { kind, replaces, text };
  }
  return null;
}

export const tabs = new TabChannel();
