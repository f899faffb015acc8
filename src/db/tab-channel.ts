import { fieldsOf } from '../domain/fields.ts';

/** What the tabs of this shop tell each other about the session, because the device may answer late or fail. */
export type SessionNews =
  | { readonly kind: 'login'; readonly uid: string }
  | { readonly kind: 'logout'; readonly uid: string }
  /** The session with the refresh token `replaces` was renewed; `text` is the new one, as auth-js stores it. */
  | { readonly kind: 'renewal'; readonly replaces: string; readonly text: string };

export class TabChannel {
  /** Null until `open`, and always in a browser without `BroadcastChannel`. Then the tab behaves as the only one. */
  #channel: BroadcastChannel | null = null;

  /** @param listener called with other tabs' news */
  open(listener: (news: SessionNews) => void): void {
    if (!('BroadcastChannel' in globalThis)) return;
    this.#channel = new BroadcastChannel('weft-tabs');
    this.#channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      const news = parseNews(data);
      if (news) listener(news);
    };
  }

  close(): void {
    this.#channel?.close();
    this.#channel = null;
  }

  /** Sends news to the other tabs. */
  post(news: SessionNews): void {
    this.#channel?.postMessage(news);
  }
}

/** Null for a message that only another build knows. */
function parseNews(data: unknown): SessionNews | null {
  const { kind, uid, replaces, text } = fieldsOf(data);
  if ((kind === 'login' || kind === 'logout') && typeof uid === 'string') return { kind, uid };
  if (kind === 'renewal' && typeof replaces === 'string' && typeof text === 'string') {
    return { kind, replaces, text };
  }
  return null;
}

export const tabs = new TabChannel();
