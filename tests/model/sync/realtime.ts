/**
 * The realtime service. It notifies the tabs of a shopper whose rows have changed. It may also not notify at all, or
 * close a channel that has just been joined.
 */
import type { Environment } from './environment.ts';
import type { Socket } from './page-host.ts';
import type { Tab } from './tab.ts';

/**
 * - `silent`   a channel can be joined, and is notified of no change
 * - `closing`  a channel can be joined, and is closed at once
 * - `failing`  no channel can be joined
 */
export type RealtimeHealth = 'good' | 'silent' | 'closing' | 'failing';

/** The pauses before realtime-js tries again to join. Source: realtime-js, RealtimeClient.ts. */
const REJOIN_MS = [1000, 2000, 5000, 10_000];

/** A channel of one tab for one shopper; `notify` and `onStatus` as in `Socket.join`. */
interface Channel {
  readonly tab: Tab;
  readonly uid: string;
  readonly notify: () => void;
  readonly onStatus: (status: string) => void;
}

export class Realtime {
  health: RealtimeHealth = 'good';
  #environment: Environment;
  #channels = new Set<Channel>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  socketFor(tab: Tab): Socket {
    let channel: Channel | null = null;
    const leave = () => {
      if (channel) this.#channels.delete(channel);
      channel = null;
    };
    return {
      leave,
      join: (uid, notify, onStatus) => {
        leave();
        const own = { tab, uid, notify, onStatus };
        channel = own;
        const { chance } = this.#environment;
        const sendStatus = (ms: number, status: string) =>
          this.#later(tab, ms, () => {
            if (channel !== own) return;
            if (status === 'CLOSED') this.#channels.delete(own);
            onStatus(status);
          });
        const attempt = (failures: number) => {
          if (channel !== own) return;
          const answerMs = chance.between(20, 300);
          if (tab.phone.networkState === 'offline' || this.health === 'failing') {
            this.#countFault(tab, 'realtime join fails');
            sendStatus(answerMs, 'CHANNEL_ERROR');
            const pauseMs = REJOIN_MS[Math.min(failures, REJOIN_MS.length - 1)] ?? 0;
            this.#later(tab, pauseMs, () => attempt(failures + 1));
            return;
          }
          this.#channels.add(own);
          sendStatus(answerMs, 'SUBSCRIBED');
          if (this.health !== 'closing') return;
          this.#countFault(tab, 'realtime join closed at once');
          sendStatus(answerMs + chance.between(1, 60), 'CLOSED');
        };
        attempt(0);
      },
    };
  }

  /** The shopper's rows have changed. */
  notifyShopper(uid: string): void {
    if (this.health !== 'good') return;
    for (const channel of this.#channels) if (channel.uid === uid) this.#notify(channel);
  }

  closeAll(): void {
    const channels = [...this.#channels];
    this.#channels.clear();
    for (const { tab, onStatus } of channels) this.#later(tab, 1, () => onStatus('CLOSED'));
  }

  removeTab(tab: Tab): void {
    for (const channel of this.#channels) if (channel.tab === tab) this.#channels.delete(channel);
  }

  #notify(channel: Channel): void {
    const { tab } = channel;
    if (tab.phone.networkState === 'offline') return;
    this.#later(tab, this.#environment.chance.between(20, 400), () => {
      if (this.#channels.has(channel)) channel.notify();
    });
  }

  #countFault(tab: Tab, kind: string): void {
    this.#environment.verdicts.fault(kind);
    tab.phone.failedRequests.add(kind);
  }

  #later(tab: Tab, ms: number, run: () => void): void {
    this.#environment.clock.after(ms, () => (tab.isDead ? undefined : run()), tab);
  }
}
