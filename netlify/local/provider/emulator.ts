/**
 * What the emulators of Stripe and PayPal share: requests with their faults, webhooks, and the state
 * that outlives a restart.
 *
 * An emulator needs no address: `handle` takes a request and gives the answer, so thousands of
 * schedules can run in one process. Time, chance, faults and the way to the shop are arguments.
 */
import { addAbortListener } from 'node:events';
import type { Random } from './chance.ts';
import { secureRandom } from './chance.ts';
import type { DeliveryOptions, HookEvent } from './deliveries.ts';
import { Deliveries } from './deliveries.ts';
import type { ChooseFault, RequestFault } from './faults.ts';
import { cutAt, RequestFaults } from './faults.ts';

export interface EmulatorOptions<State> {
  /** Where the API and the pages are. */
  readonly baseUrl?: string;
  readonly webhook?: DeliveryOptions;
  /** The fault of a request for which `faults.next` sets none. */
  readonly chooseFault?: ChooseFault;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
  readonly random?: Random;
  readonly state?: State;
  /** Gets all that is to be stored, after every change. */
  readonly onChange?: (state: State) => void;
}

/** Plain data, so that it can be stored in a file. */
export interface EmulatorState {
  readonly events: Record<string, HookEvent>;
}

/** A request to an emulator, read whole. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
  /** What goes wrong with this request. */
  readonly fault: RequestFault | undefined;
}

export abstract class Emulator<State extends EmulatorState> {
  /** Sets what goes wrong with the next requests. */
  readonly faults: RequestFaults;
  readonly webhooks: Deliveries;
  readonly baseUrl: string;
  readonly state: State;
  readonly now: () => number;
  readonly random: Random;
  readonly #onChange: () => void;

  /**
   * @param stored the names of the records of the state, beside its events
   * @param sign makes the headers of a webhook with this body
   */
  constructor(
    options: EmulatorOptions<State>,
    stored: readonly (keyof State)[],
    sign: (body: string) => Readonly<Record<string, string>>,
  ) {
    const { webhook = {}, onChange, chooseFault } = options;
    this.baseUrl = options.baseUrl ?? 'http://127.0.0.1';
    this.state = restore(options.state, ['events', ...stored]);
    this.now = options.now ?? Date.now;
    this.random = options.random ?? secureRandom;
    this.#onChange = () => onChange?.(this.state);
    this.faults = new RequestFaults(chooseFault);
    const { events } = this.state;
    this.webhooks = new Deliveries(webhook, { events, sign, onChange: this.#onChange });
  }

  /** Ends what has run out of time; every request does so too. */
  abstract tick(): void;

  protected abstract answer(call: Call): Promise<Response>;

  /** Answers a request to the API or for a page. @throws ConnectionCut where a fault says so */
  async handle(request: Request): Promise<Response> {
    const body = await request.text();
    const { pathname: path, searchParams: query } = new URL(request.url);
    const { method, headers } = request;
    const fault = this.faults.take(`${method} ${path}`);
    const call = { method, path, query, headers, body, fault };
    return unlessAborted(this.#serve(call), request.signal);
  }

  async #serve(call: Call): Promise<Response> {
    cutAt('before', call.fault);
    this.tick();
    const answer = await this.answer(call);
    // A GET changes only what has run out of time, and `tick` finds that again after a restart.
    if (call.method === 'POST') this.#onChange();
    cutAt('after', call.fault);
    return answer;
  }
}

/** Records without a prototype: a name that comes in a request finds only what was put there. */
function restore<State>(kept: State | undefined, names: readonly (keyof State)[]): State {
  const bare = (record: unknown) => Object.assign(Object.create(null) as object, record);
  return Object.fromEntries(names.map((name) => [name, bare(kept?.[name])])) as State;
}

/** Fails when the client aborts its request; the work itself goes on. */
function unlessAborted(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  const aborted = new Promise<never>((_, fail) => {
    addAbortListener(signal, () => fail(signal.reason as Error));
  });
  return Promise.race([answer, aborted]);
}
