/**
 * What the emulators of Stripe and PayPal share: requests with their faults, webhooks, and the state
 * that outlives a restart.
 *
 * An emulator needs no address: `handle` takes a request and gives the answer, so thousands of
 * schedules can run in one process. Time, chance, faults and the way to the shop are arguments.
 */
import type { Random } from './chance.ts';
import { secureRandom } from './chance.ts';
import type { DeliveryOptions, HookEvent, Sign } from './deliveries.ts';
import { Deliveries } from './deliveries.ts';
import type { ChooseFault, RequestFault } from './faults.ts';
import { cutAt, Faults } from './faults.ts';

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
  /** Gets all that is to be kept, after every change. */
  readonly onChange?: (state: State) => void;
}

/** Plain data, so that it can be kept in a file. */
export interface EmulatorState {
  readonly events: Record<string, HookEvent>;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
}

/** Money that a provider has taken for the shop: the truth against which orders are checked. */
export interface Receipt {
  /** Of the session or the order at the provider. */
  readonly sourceId: string;
  /** Of the payment or the capture. */
  readonly paymentId: string;
  /** What the shop called it, if it did. */
  readonly reference: string | null;
  /** In cents. */
  readonly amountMinor: number;
  readonly currency: 'USD';
}

export abstract class Emulator<State extends EmulatorState> {
  /** What goes wrong with the next requests. */
  readonly faults: Faults;
  readonly webhooks: Deliveries;
  readonly baseUrl: string;
  readonly state: State;
  readonly now: () => number;
  readonly random: Random;
  readonly #onChange: (state: State) => void;

  /** @param sign makes the headers of a webhook with this body */
  constructor(options: EmulatorOptions<State>, state: State, sign: Sign) {
    this.baseUrl = options.baseUrl ?? 'http://127.0.0.1';
    this.state = state;
    this.now = options.now ?? Date.now;
    this.random = options.random ?? secureRandom;
    this.#onChange = options.onChange ?? (() => undefined);
    this.faults = new Faults(options.chooseFault);
    this.webhooks = new Deliveries(state.events, options.webhook ?? {}, sign, () =>
      options.onChange?.(state),
    );
  }

  /** What was paid. */
  abstract get receipts(): readonly Receipt[];

  /** Ends what has run out of time; every request does so too. */
  abstract tick(): void;

  protected abstract answer(call: Call, fault: RequestFault | undefined): Promise<Response>;

  /** Answers a request to the API or for a page. @throws ConnectionCut where a fault says so */
  async handle(request: Request): Promise<Response> {
    const body = await request.text();
    const { pathname: path, searchParams: query } = new URL(request.url);
    const { method, headers } = request;
    return unlessAborted(this.#serve({ method, path, query, headers, body }), request.signal);
  }

  async #serve(call: Call): Promise<Response> {
    const fault = this.faults.take(`${call.method} ${call.path}`);
    cutAt('before', fault);
    this.tick();
    const answer = await this.answer(call, fault);
    if (call.method === 'POST') this.#onChange(this.state);
    cutAt('after', fault);
    return answer;
  }
}

/** Events that the shop has accepted are of no further use after a restart. */
export function waitingEvents(kept?: EmulatorState): Record<string, HookEvent> {
  const entries = Object.entries(kept?.events ?? {}).filter(([, event]) => !event.isAccepted);
  return bare(Object.fromEntries(entries));
}

/** A copy without a prototype: a name that comes in a request finds only what was put there. */
export function bare<T>(record: Readonly<Record<string, T>> = {}): Record<string, T> {
  return Object.assign(Object.create(null) as Record<string, T>, record);
}

/** Fails when the client aborts its request; the work itself goes on. */
function unlessAborted(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  answer.catch(() => undefined);
  return new Promise((done, failed) => {
    const abort = () => failed(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    answer.then(done, failed).finally(() => signal.removeEventListener('abort', abort));
  });
}
