/**
 * The realtime service: it notifies the tabs of a shopper whose rows have changed, or for nothing, or not at
 * all, and may close what has just joined.
 */
import type { Environment } from './environment.ts';
import type { Socket } from './page-host.ts';
import type { Tab } from './tab.ts';

/** `silent`: joins and never notifies. `closing`: a channel joins and is closed at once. */
export type RealtimeHealth = 'good' | 'silent' | 'closing' | 'refusing';

/** Pauses before realtime-js joins again by itself. Source: realtime-js, RealtimeClient.ts. */
const REJOIN_MS = [1000, 2000, 5000, 10_000];

interface Channel {
  readonly tab: Tab;
  readonly uid: string;
  readonly notify: () => void;
  readonly tell: (status: string) => void;
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
      join: (uid, notify, tell) => {
        leave();
        const own = { tab, uid, notify, tell };
        channel = own;
        const { chance } = this.#environment;
        const say = (ms: number, status: string) =>
          this.#later(tab, ms, () => {
            if (channel !== own) return;
            if (status === 'CLOSED') this.#channels.delete(own);
            tell(status);
          });
        const attempt = (failures: number) => {
          if (channel !== own) return;
          const joinedMs = chance.between(20, 300);
          if (tab.phone.weather === 'offline' || this.health === 'refusing') {
            this.#failed(tab, 'realtime join refused');
            say(joinedMs, 'CHANNEL_ERROR');
            const pauseMs = REJOIN_MS[Math.min(failures, REJOIN_MS.length - 1)] ?? 0;
            this.#later(tab, pauseMs, () => attempt(failures + 1));
            return;
          }
          this.#channels.add(own);
          say(joinedMs, 'SUBSCRIBED');
          if (this.health !== 'closing') return;
          this.#failed(tab, 'realtime join closed at once');
          say(joinedMs + chance.between(1, 60), 'CLOSED');
        };
        attempt(0);
      },
    };
  }

  /** The shopper's rows have changed. */
  announce(uid: string): void {
    if (this.health !== 'good') return;
    for (const channel of this.#channels) if (channel.uid === uid) this.#notify(channel);
  }

  /** Notifies a phone although nothing has changed. */
  notifyAt(tabs: readonly Tab[]): void {
    for (const channel of this.#channels) if (tabs.includes(channel.tab)) this.#notify(channel);
  }

  /** The service lets go of everybody. */
  closeAll(): void {
    const channels = [...this.#channels];
    this.#channels.clear();
    for (const { tab, tell } of channels) this.#later(tab, 1, () => tell('CLOSED'));
  }

  /** What a closed tab listened to. */
  forget(tab: Tab): void {
    for (const channel of this.#channels) if (channel.tab === tab) this.#channels.delete(channel);
  }

  #notify(channel: Channel): void {
    const { tab } = channel;
    if (tab.phone.weather === 'offline') return;
    this.#later(tab, this.#environment.chance.between(20, 400), () => {
      if (this.#channels.has(channel)) channel.notify();
    });
  }

  #failed(tab: Tab, kind: string): void {
    this.#environment.verdicts.fault(kind);
    tab.phone.failures.note(kind);
  }

  #later(tab: Tab, ms: number, run: () => void): void {
    this.#environment.clock.after(ms, () => (tab.isDead ? undefined : run()), tab);
  }
}
