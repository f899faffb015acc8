/**
 * A shop with one shopper, in one process and with one clock: the functions' own code, the real SQL, and
 * the payment emulators without HTTP.
 */
import { beforeEach } from 'vitest';
import { HttpError } from '../../netlify/lib/http.ts';
import type { RequestedOrder } from '../../netlify/lib/orders.ts';
import { type CardCheckout, createCheckout } from '../../netlify/lib/payments.ts';
import { openPayPal, type PayPalClient } from '../../netlify/lib/paypal.ts';
import type { Ports } from '../../netlify/lib/ports.ts';
import { openStripe } from '../../netlify/lib/stripe.ts';
import { captureWalletOrder, createWalletOrder } from '../../netlify/lib/wallet-checkout.ts';
import { takePayPalWebhook, takeStripeWebhook } from '../../netlify/lib/webhooks.ts';
import { LocalPayPal } from '../../netlify/local/paypal/paypal.ts';
import { LocalStripe } from '../../netlify/local/stripe/stripe.ts';
import type { Backend } from '../../supabase/local/backend.ts';
import { seeded } from '../random.ts';
import { callIn, Buyer, HOME } from '../supabase/buyer.ts';
import { openBackendForFile } from '../supabase/shop-for-file.ts';
import { sell } from '../supabase/shoppers.ts';

const SITE = 'http://localhost:4173';
const DAY_MS = 24 * 60 * 60_000;

/**
 * Opens a backend for all tests of a file, which sells these products (prices in dollars by stock code).
 * Before each test it has no orders, and the products have these prices again. Returns it with the ids of
 * its one shopper and of the products.
 */
export async function openBackendSelling<Code extends string>(
  prices: Readonly<Record<Code, number>>,
) {
  const backend = await openBackendForFile();
  const user = await backend.addAccount({ email: 'ada@weft.test', password: 'secret-1' });
  const products = await sell({ backend }, prices);
  beforeEach(async () => {
    await backend.query(
      `truncate public.orders, public.cart_items,
       public.payment_reversals, public.messages cascade`,
    );
    await sell({ backend }, prices);
  });
  return { backend, user, products };
}

/** The shop of one shopper. Time passes only with `buyer.waitMinutes`. */
export class InProcessShop {
  readonly buyer: Buyer;
  /** What the functions' code is given to reach database, providers and clock. */
  readonly ports: Ports;
  readonly stripe: LocalStripe;
  readonly paypal: LocalPayPal;
  /** Lines that the shop logged. */
  readonly log: string[] = [];
  /** Whether the webhooks that providers send are lost. */
  dropsWebhooks = false;
  /** As the setting RETENTION_DAYS; null keeps the address of paid orders for good. */
  retentionDays: number | null = null;

  /** @param seed decides the ids that the providers draw */
  constructor(backend: Backend, user: string, seed = 1) {
    this.buyer = new Buyer(backend, user);
    const now = () => this.buyer.now.getTime();
    const random = seeded(seed);
    const webhook = (handle: (headers: Headers, body: string) => Promise<void>) => ({
      url: `${SITE}/webhook`,
      drop: () => this.dropsWebhooks,
      send: async (request: Request) => answerOf(handle(request.headers, await request.text())),
    });
    const stripe = new LocalStripe({
      now,
      random,
      webhook: webhook((headers, body) =>
        takeStripeWebhook(this.ports, headers, body, stripe.webhookSecret),
      ),
    });
    const paypal = new LocalPayPal({
      now,
      random,
      webhook: webhook((headers, body) =>
        takePayPalWebhook(this.ports, headers, body, paypal.webhookId),
      ),
    });
    this.stripe = stripe;
    this.paypal = paypal;
    const payPalClient = openPayPal(
      {
        clientId: paypal.clientId,
        clientSecret: paypal.clientSecret,
        mode: 'sandbox',
        apiUrl: 'http://127.0.0.1:1', // never contacted: `fetch` below calls the emulator
      },
      { now, fetch: (input, init) => paypal.handle(new Request(input, init)) },
    );
    const stripeClient = openStripe(
      { secretKey: stripe.secretKey, mode: 'sandbox', apiUrl: null },
      { retries: 0, fetch: (input, init) => stripe.handle(new Request(input, init)) },
    );
    this.ports = {
      call: callIn(backend),
      cards: () => ({ stripe: stripeClient, mode: 'sandbox' }),
      wallet: () => payPalClient,
      siteUrl: () => SITE,
      retentionDays: () => this.retentionDays,
      now: () => this.buyer.now,
      pause: async () => undefined,
      removeAccount: async (id) => {
        await backend.query('delete from auth.users where id = $1', [id]);
      },
      log: (line) => void this.log.push(line),
    };
  }

  /** Pays by card, and waits for the webhooks. */
  async payByCard(request: RequestedOrder): Promise<CardCheckout> {
    const checkout = await createCheckout(this.ports, request);
    this.stripe.pay(checkout.sessionId);
    await this.idle();
    return checkout;
  }

  /** Pays with PayPal (the wallet), and waits for the webhooks. Returns the id of the shop's order. */
  async payByWallet(request: RequestedOrder): Promise<string> {
    const { orderId, storeOrderId } = await createWalletOrder(this.ports, request);
    this.paypal.approve(orderId);
    await captureWalletOrder(this.ports, this.buyer.id, orderId);
    await this.idle();
    return storeOrderId;
  }

  /** The shop's ports, which run `before` ahead of each call of the database: when it throws, the call fails. */
  portsBefore(before: (name: string) => unknown): Ports {
    const call: Ports['call'] = async (name, args) => {
      await before(name);
      return this.ports.call(name, args);
    };
    return { ...this.ports, call };
  }

  /** The shop's ports to a PayPal whose client has these calls replaced. */
  portsToPayPal(calls: Partial<PayPalClient>): Ports {
    const client = { ...this.ports.wallet(), ...calls };
    return { ...this.ports, wallet: () => client };
  }

  /** Sets the clock to the next run that reads the providers' lists (netlify/lib/reconcile.ts). */
  setToReading(): void {
    this.buyer.now = new Date(this.buyer.now.getTime() + DAY_MS);
    this.buyer.now.setUTCHours(2, 1);
  }

  /** Waits until every webhook that was under way has been answered. */
  async idle(): Promise<void> {
    await Promise.all([this.stripe.webhooks.idle(), this.paypal.webhooks.idle()]);
  }

  /** A request to pay these quantities by product id; `changes` replaces fields. */
  requestFor(
    lines: Readonly<Record<number, number>>,
    changes: Partial<RequestedOrder> = {},
  ): RequestedOrder {
    return {
      userId: this.buyer.id,
      email: 'ada@weft.test',
      orderId: null,
      lines: Object.entries(lines).map(([id, quantity]) => ({ product_id: Number(id), quantity })),
      address: HOME,
      shownTotal: null,
      again: false,
      ...changes,
    };
  }
}

/** The answer of the function to a webhook. */
async function answerOf(handling: Promise<void>): Promise<Response> {
  try {
    await handling;
    return new Response(null, { status: 200 });
  } catch (thrown) {
    const status = thrown instanceof HttpError ? thrown.status : 500;
    return new Response(null, { status });
  }
}
