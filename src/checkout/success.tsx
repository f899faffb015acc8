import { type ReactNode, useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useShopperView } from '../cart/queries.ts';
import type { Order } from '../domain/order.ts';
import { moneyBackWords } from '../domain/money-back.ts';
import { orderNumber } from '../domain/order-number.ts';
import { sentWords } from '../domain/sent.ts';
import type { OrderReference, OrderUpdate } from '../remote/checkout.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { LONG_TIME } from '../ui/dates.ts';
import label from '../ui/label.module.css';
import { Link } from '../ui/link.tsx';
import { loginHere } from '../ui/log-in-first.ts';
import { PageTitle } from '../ui/page-title.tsx';
import { Lines } from './lines.tsx';
import { clearCartAfterPayment } from './mutations.ts';
import { OrderAddress } from './orders/order-address.tsx';
import styles from './page.module.css';
import { takeOrderLeftForPayment } from './pay/card.ts';
import { useOrder, useOrderUpdate } from './queries.ts';
import receiptStyles from './receipt.module.css';

/** `/checkout/success`: shows the status of the order that the URL names. */
export function SuccessPage({ tokens }: { readonly tokens: TokenSource }) {
  const [params] = useSearchParams();
  const view = useShopperView();
  const session = params.get('session_id');
  const order = params.get('order');
  const id = session ?? order;
  const uid = view?.shopper.uid;
  // Clears the marker that tells the checkout that this tab came back from the payment page.
  useEffect(() => void takeOrderLeftForPayment(), []);

  if (view === undefined) return null;
  if (id === null) return <PaidWithoutOrder />;
  if (uid === undefined) return signInWords();
  const kind = session === null ? 'order' : 'session';
  return <OrderOutcome key={`${uid} ${id}`} uid={uid} kind={kind} id={id} tokens={tokens} />;
}

/** For a URL without an order: the page says "paid" (specification, section 2). */
function PaidWithoutOrder() {
  useEffect(() => void clearCartAfterPayment(), []);
  return (
    <Words title={PAID}>
      <OrdersLink />
    </Words>
  );
}

interface OrderOutcomeProps extends OrderReference {
  readonly uid: string;
  readonly tokens: TokenSource;
}

function OrderOutcome({ uid, kind, id, tokens }: OrderOutcomeProps) {
  const state = useOrderUpdate(uid, { kind, id }, tokens);
  const order = useOrder(uid, state.kind === 'known' ? state.update.orderId : null, tokens);
  // Each state returns `Words` itself, no component around it: React then keeps the live region, and screen
  // readers announce that its words change.
  switch (state.kind) {
    case 'asking':
      return (
        <Words title="Your Payment">
          <p>Checking your payment…</p>
        </Words>
      );
    case 'offline':
      return (
        <Words title="Your Payment">
          <p>
            We can’t check your payment right now. We’ll keep trying and update this page when
            you’re back online. Please don’t pay again.
          </p>
          <OrdersLink />
        </Words>
      );
    case 'foreign':
      return (
        <Words title="Order Not Found">
          <p>
            We couldn’t find this order in your account. You may have ordered with another account,
            or the link may be incomplete.
          </p>
          <OrdersLink />
        </Words>
      );
    case 'sign-in':
      return signInWords();
    case 'known':
      return outcomeWords(state.update, order);
  }
}

/** @param order undefined until this device has it */
function outcomeWords({ status, paidBy }: OrderUpdate, order: Order | undefined) {
  switch (status) {
    case 'paid': {
      const back = order ? moneyBackWords(order) : [];
      // After money went back, the page does not promise that the order will be packed.
      const next = (order && sentWords(order)) ?? (back.length === 0 ? TO_PACK : null);
      return (
        <Words title={PAID} order={order}>
          {paidBy !== null && <p>{`Paid ${PAID_HOW[paidBy]}.`}</p>}
          {back.map((words) => (
            <p key={words}>{words}</p>
          ))}
          {next !== null && (
            <>
              <h2>What happens next</h2>
              <p>{next}</p>
            </>
          )}
          <OrdersLink />
        </Words>
      );
    }
    case 'confirming':
      return (
        <Words title="Your Payment Is Being Confirmed" order={order}>
          <p>
            <span>{`Thank you. Your payment${paidBy === null ? '' : ` ${PAID_HOW[paidBy]}`} `}</span>
            <span>
              is still being confirmed. It can take a few days, and your items stay in your cart
              until then. Please don’t pay again. You can close this page.
            </span>
          </p>
          <h2>What happens next</h2>
          <p>Once it’s confirmed, we’ll pack your order and ship it to the address below.</p>
          <OrdersLink />
        </Words>
      );
    case 'unpaid':
      return (
        <Words title="Not Paid Yet">
          <p>
            We haven’t received a payment for this order. If you’ve just paid, this page will update
            in a moment. If you haven’t, your items are still in your cart.
          </p>
          <CartLink />
        </Words>
      );
    case 'review':
      return (
        <Words title="We’re Looking Into It" order={order}>
          <p>
            We’ve received a payment for this order, and we need to check it. You don’t need to do
            anything. Please don’t pay again.
          </p>
          <OrdersLink />
        </Words>
      );
    case 'failed':
      return (
        <Words title="Payment Failed">
          <p>Your payment didn’t go through. Nothing was charged, and your cart hasn’t changed.</p>
          <CartLink />
        </Words>
      );
    case 'cancelled':
    case 'expired':
      return (
        <Words title="Order Closed">
          <p>{status === 'cancelled' ? CANCELLED : NOT_IN_TIME}</p>
          <CartLink />
        </Words>
      );
  }
}

function signInWords() {
  return (
    <Words title="Your Payment">
      <p>To see your payment, log in to the account you ordered with.</p>
      <p>
        <Link to={loginHere()}>Log in</Link>
      </p>
    </Words>
  );
}

function OrdersLink() {
  return (
    <p>
      You can find this order under <Link to="/orders">Your Orders</Link>.
    </p>
  );
}

function CartLink() {
  return (
    <p>
      <Link to="/cart">Back to Cart</Link>
    </p>
  );
}

const CANCELLED = 'This order was cancelled. Nothing was charged, and your cart hasn’t changed.';
const NOT_IN_TIME =
  'No payment arrived in time. Nothing was charged, and your cart hasn’t changed.';
const PAID = 'Payment Successful! Thank you for your order.';
const TO_PACK = 'We’ll pack your order and ship it to the address below. You’re all set.';
const PAID_HOW = { card: 'by card', paypal: 'with PayPal' } as const;

interface WordsProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Shown beside the words, once this device has it. */
  readonly order?: Order | undefined;
}

/** A live region: screen readers read the words again whenever they change. */
function Words({ title, children, order }: WordsProps) {
  return (
    <div className={styles['outcome']}>
      <div role="status" className={styles['words']}>
        <PageTitle>{title}</PageTitle>
        {children}
      </div>
      <Link className="button" to="/">
        Continue Shopping
      </Link>
      {order && <Receipt order={order} />}
    </div>
  );
}

/** What was bought, drawn like the label in a garment: order number, lines, total and address. */
function Receipt({ order }: { readonly order: Order }) {
  const { id, createdAt, lines, totalMinor } = order;
  return (
    <section className={label['label']} aria-label="Receipt">
      <div className={receiptStyles['head']}>
        <p className={receiptStyles['number']}>
          <span>Order number</span> <strong>{orderNumber(id)}</strong>
        </p>
        <time dateTime={createdAt}>{LONG_TIME.format(new Date(createdAt))}</time>
      </div>
      <Lines lines={lines} total={totalMinor} isLinked />
      <OrderAddress order={order} />
    </section>
  );
}
