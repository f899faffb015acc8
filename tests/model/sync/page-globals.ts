/** Fakes of a browser's events, `localStorage`, `sessionStorage` and broadcast channels. */
import type { SimulatedTab, Clock } from './clock.ts';

/** A listener of an event; the event has its `type` and further fields. */
export type Listener = (event: object) => void;

/** The event listeners of one tab's window and document. */
export class PageEvents {
  #listeners = new Map<string, Set<Listener>>();

  add = (type: string, listener: Listener): void => {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
  };

  remove = (type: string, listener: Listener): void => {
    this.#listeners.get(type)?.delete(listener);
  };

  fire(type: string, event: object = {}): void {
    for (const listener of this.#listeners.get(type) ?? []) listener({ type, ...event });
  }
}

/** `localStorage` of a phone, or `sessionStorage` of a tab, with the methods of `Storage` that the page calls. */
export class KeyValues {
  readonly values = new Map<string, string>();
  #onChange: (key: string, value: string | null) => void;

  /** @param onChange gets the key and the new value of each write, as a `storage` event has them; null for a removal */
  constructor(onChange: (key: string, value: string | null) => void = () => undefined) {
    this.#onChange = onChange;
  }

  getItem = (key: string): string | null => this.values.get(key) ?? null;

  setItem = (key: string, value: string): void => {
    this.values.set(key, value);
    this.#onChange(key, value);
  };

  removeItem = (key: string): void => {
    if (this.values.delete(key)) this.#onChange(key, null);
  };
}

/** The broadcast channels of one phone. */
export class Channels {
  #clock: Clock<SimulatedTab>;
  #open = new Set<SimulatedChannel>();

  constructor(clock: Clock<SimulatedTab>) {
    this.#clock = clock;
  }

  join(channel: SimulatedChannel): void {
    this.#open.add(channel);
  }

  leave(channel: SimulatedChannel): void {
    this.#open.delete(channel);
  }

  /** Delivers a message to all other channels of the same name, in a later task, as a browser does. */
  post(from: SimulatedChannel, message: unknown): void {
    const data = structuredClone(message);
    for (const channel of this.#open) {
      if (channel === from || channel.name !== from.name) continue;
      const deliver = () => (channel.tab.isDead ? undefined : channel.onmessage?.({ data }));
      this.#clock.after(1, deliver, channel.tab);
    }
  }

  /** Closes the channels of a tab that is gone. */
  removeTab(tab: SimulatedTab): void {
    for (const channel of this.#open) if (channel.tab === tab) this.#open.delete(channel);
  }
}

/** `BroadcastChannel` of one tab. The page and Dexie listen by `onmessage`. */
export class SimulatedChannel {
  readonly name: string;
  readonly tab: SimulatedTab;
  readonly #channels: Channels;
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;

  constructor(name: string, tab: SimulatedTab, channels: Channels) {
    this.name = name;
    this.tab = tab;
    this.#channels = channels;
    channels.join(this);
  }

  postMessage(message: unknown): void {
    if (!this.tab.isDead) this.#channels.post(this, message);
  }

  close(): void {
    this.#channels.leave(this);
  }
}
