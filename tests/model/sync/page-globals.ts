/** What each phone's browser shares between its tabs: `localStorage` and broadcast channels. */
import type { Clock } from './clock.ts';
import type { Tab } from './tab.ts';

/** `localStorage` of a phone, or `sessionStorage` of a tab. */
export class KeyValues {
  readonly values = new Map<string, string>();
  #onChange: (key: string | null, value: string | null) => void;

  constructor(onChange: (key: string | null, value: string | null) => void = () => undefined) {
    this.#onChange = onChange;
  }

  get length(): number {
    return this.values.size;
  }

  key = (place: number): string | null => [...this.values.keys()][place] ?? null;

  getItem = (key: string): string | null => this.values.get(key) ?? null;

  setItem = (key: string, value: string): void => {
    this.values.set(key, value);
    this.#onChange(key, value);
  };

  removeItem = (key: string): void => {
    if (this.values.delete(key)) this.#onChange(key, null);
  };

  clear = (): void => {
    this.values.clear();
    this.#onChange(null, null);
  };
}

/** The broadcast channels of one phone. */
export class Channels {
  #clock: Clock<Tab>;
  #open = new Set<SimulatedChannel>();

  constructor(clock: Clock<Tab>) {
    this.#clock = clock;
  }

  join(channel: SimulatedChannel): void {
    this.#open.add(channel);
  }

  leave(channel: SimulatedChannel): void {
    this.#open.delete(channel);
  }

  post(from: SimulatedChannel, message: unknown): void {
    const data = structuredClone(message);
    for (const channel of this.#open) {
      if (channel === from || channel.name !== from.name) continue;
      const deliver = () => (channel.tab.isDead ? undefined : channel.receive(data));
      this.#clock.after(1, deliver, channel.tab);
    }
  }

  forget(tab: Tab): void {
    for (const channel of this.#open) if (channel.tab === tab) this.#open.delete(channel);
  }
}

export class SimulatedChannel {
  readonly name: string;
  readonly tab: Tab;
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  #listeners = new Set<(event: { readonly data: unknown }) => void>();

  constructor(name: string, tab: Tab) {
    this.name = name;
    this.tab = tab;
    tab.phone.channels.join(this);
  }

  addEventListener(type: string, listener: (event: { readonly data: unknown }) => void): void {
    if (type === 'message') this.#listeners.add(listener);
  }

  removeEventListener(_type: string, listener: (event: { readonly data: unknown }) => void): void {
    this.#listeners.delete(listener);
  }

  postMessage(message: unknown): void {
    if (!this.tab.isDead) this.tab.phone.channels.post(this, message);
  }

  close(): void {
    this.tab.phone.channels.leave(this);
  }

  receive(data: unknown): void {
    this.onmessage?.({ data });
    for (const listener of this.#listeners) listener({ data });
  }
}
