/**
 * A client of WebKit's remote inspector (Source/JavaScriptCore/inspector/protocol/*.json) for one page. The
 * page's own messages travel inside `Target` messages, because a navigation may move the page to another
 * process, and each process is a target of its own.
 */
import { WebSocket } from 'ws';

/** libsoup, WebKit's server, ends a connection at a frame of 128 KiB (`max-incoming-payload-size`). */
const MAX_FRAME_BYTES = 60_000;

/** What the inspector sends: an answer, with the id of its call, or an event. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly error?: { readonly message: string };
  readonly result?: unknown;
  readonly params?: {
    readonly message?: string;
    readonly newTargetId?: string;
    readonly targetInfo?: { readonly targetId: string; readonly isProvisional?: boolean };
  };
}

interface Call {
  readonly targetId: string;
  settle(answer: Message): void;
}

/** A value of the page: `value` if it is plain data, otherwise `objectId`, which calls use. */
export interface RemoteValue {
  readonly subtype?: string;
  readonly objectId?: string;
  readonly value?: unknown;
  readonly description?: string;
}

interface Evaluated {
  readonly result: RemoteValue;
  readonly wasThrown: boolean;
}

export class Inspector {
  #socket: WebSocket;
  #targetId = '';
  #lastId = 0;
  #calls = new Map<number, Call>();
  /** By event; `ready` is an event of this class. */
  #listeners = new Map<string, () => void>();
  /** Runs in each page before its own scripts; null for none. */
  #beforeLoad: string | null;

  private constructor(socket: WebSocket, beforeLoad: string | null) {
    this.#socket = socket;
    this.#beforeLoad = beforeLoad;
    socket.on('message', (data: Buffer) => this.#receive(data.toString()));
    socket.on('close', () => this.#rejectCalls(() => true));
  }

  /** @throws while the browser shows no page yet */
  static async connect(port: number, beforeLoad: string | null): Promise<Inspector> {
    const list = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    const path = /\/socket\/\d+\/\d+\/WebPage/.exec(list)?.[0];
    if (path === undefined) throw new Error('the browser shows no page yet');
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
    const inspector = new Inspector(socket, beforeLoad);
    await new Promise<void>((resolve, reject) => {
      inspector.#listeners.set('ready', resolve);
      socket.on('error', reject);
    });
    return inspector;
  }

  /** Goes to an address and waits until the document has been parsed. */
  async goto(url: string): Promise<void> {
    const parsed = new Promise<void>((resolve) =>
      this.#listeners.set('Page.domContentEventFired', resolve),
    );
    // The answer to this call is lost if the page moves to another process.
    this.#call('Page.navigate', { url }).catch(() => undefined);
    await parsed;
  }

  /** Evaluates an expression and returns its value as plain data; awaits a promise. */
  async evaluate(expression: string): Promise<unknown> {
    const promise = await this.#evaluate('Runtime.evaluate', {
      expression: `(async () => (${expression}))()`,
      emulateUserGesture: true,
    });
    const { value } = await this.#evaluate('Runtime.awaitPromise', {
      promiseObjectId: promise.objectId,
      returnByValue: true,
    });
    return value;
  }

  /** The object to which an expression evaluates. */
  async object(expression: string): Promise<RemoteValue> {
    return this.#evaluate('Runtime.evaluate', { expression });
  }

  /** Calls a function with an object as `this`. */
  async callOn({ objectId }: RemoteValue, functionDeclaration: string): Promise<void> {
    await this.#evaluate('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration,
      emulateUserGesture: true,
    });
  }

  close(): void {
    this.#socket.close();
  }

  async #evaluate(method: string, params: object): Promise<RemoteValue> {
    const { result, wasThrown } = (await this.#call(method, params)) as Evaluated;
    if (wasThrown) throw new Error(result.description ?? 'the page has thrown something');
    return result;
  }

  #call(method: string, params: object = {}, targetId = this.#targetId): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, {
        targetId,
        settle: ({ error, result }) => (error ? reject(new Error(error.message)) : resolve(result)),
      });
      const message = JSON.stringify({ id, method, params });
      this.#send('Target.sendMessageToTarget', { targetId, message });
    });
  }

  #send(method: string, params: object): void {
    const bytes = Buffer.from(JSON.stringify({ id: ++this.#lastId, method, params }));
    for (let start = 0; start < bytes.length; start += MAX_FRAME_BYTES) {
      const end = start + MAX_FRAME_BYTES;
      const isLast = end >= bytes.length;
      this.#socket.send(bytes.subarray(start, end), { binary: false, fin: isLast });
    }
  }

  #receive(text: string): void {
    const { method, params = {} } = JSON.parse(text) as Message;
    const { message, newTargetId, targetInfo } = params;
    if (method === 'Target.dispatchMessageFromTarget') this.#receiveFromPage(message ?? '{}');
    if (method === 'Target.targetCreated' && targetInfo) void this.#prepare(targetInfo);
    if (method === 'Target.didCommitProvisionalTarget') this.#moveTo(newTargetId ?? '');
  }

  #receiveFromPage(text: string): void {
    const message = JSON.parse(text) as Message;
    if (message.id === undefined) {
      // Calls of the previous document are never answered.
      if (message.method === 'Page.frameNavigated') this.#rejectCalls(() => true);
      this.#listeners.get(message.method ?? '')?.();
      return;
    }
    this.#calls.get(message.id)?.settle(message);
    this.#calls.delete(message.id);
  }

  async #prepare(target: { readonly targetId: string; readonly isProvisional?: boolean }) {
    if (!target.isProvisional) this.#targetId = target.targetId;
    const { targetId } = target;
    const calls = [this.#call('Page.enable', {}, targetId)];
    if (this.#beforeLoad !== null) {
      const params = { source: this.#beforeLoad };
      calls.push(this.#call('Page.setBootstrapScript', params, targetId));
    }
    await Promise.allSettled(calls);
    this.#listeners.get('ready')?.();
  }

  /** Follows the page into another process. */
  #moveTo(targetId: string): void {
    this.#targetId = targetId;
    this.#rejectCalls((call) => call.targetId !== targetId);
  }

  /** Rejects the calls that will not be answered any more. */
  #rejectCalls(isEnded: (call: Call) => boolean): void {
    for (const [id, call] of this.#calls) {
      if (!isEnded(call)) continue;
      this.#calls.delete(id);
      call.settle({ error: { message: 'the page has been left' } });
    }
  }
}
