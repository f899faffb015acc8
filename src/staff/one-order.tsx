import { type SubmitEvent, useId, useState } from 'react';
import { addressLines } from '../domain/address.ts';
import { formatPrice, formatTotal } from '../domain/money.ts';
import { orderNumber } from '../domain/order-number.ts';
import { productHref } from '../domain/routes.ts';
import { LONGEST_CARRIER, LONGEST_TRACKING_URL } from '../domain/sent.ts';
import type { StaffOrder, WholeOrder } from '../domain/staff-order.ts';
import type { OrdersChange } from '../remote/staff.ts';
import { AddressLines } from '../ui/address-lines.tsx';
import { SHORT_TIME } from '../ui/dates.ts';
import label from '../ui/label.module.css';
import { Link } from '../ui/link.tsx';
import { focusHeadingWhenRemoved, PageTitle } from '../ui/page-title.tsx';
import { Picture } from '../ui/picture.tsx';
import { copyAddress, requestChange } from './mutations.ts';
import { textIn } from './order-list.tsx';
import { PackingSlip } from './packing-slip.tsx';
import { type Reader, useStaffOrder } from './queries.ts';
import { freshnessWords, stateLines } from './words.ts';

interface OneOrderProps {
  readonly id: string;
  readonly reader: Reader;
  readonly onChanged: () => void;
}

/** `/admin/orders?order=`. */
export function OneOrder({ id, reader, onChanged }: OneOrderProps) {
  const polled = useStaffOrder(reader, id);
  const [isBusy, setBusy] = useState(false);
  const order = polled.value?.order;
  const isDisabled = isBusy || polled.failure !== null;

  async function change(asked: OrdersChange): Promise<void> {
    if (!order || isDisabled) return;
    setBusy(true);
    await requestChange(reader, [order], asked, onChanged);
    setBusy(false);
  }

  return (
    <>
      <p>
        <Link to="/admin/orders">All orders</Link>
      </p>
      <PageTitle>{order ? `Order ${orderNumber(order.id)}` : 'Order'}</PageTitle>
      <p role="status">{freshnessWords(polled)}</p>
      {order && (
        <>
          <div className="staff-order">
            <Contents order={order} />
            <div>
              <Facts order={order} />
              {order.review !== null && <Review order={order} {...{ isDisabled, change }} />}
              {order.state === 'paid' && <Sending order={order} {...{ isDisabled, change }} />}
            </div>
            {'history' in order && <History order={order} />}
          </div>
          <PackingSlip order={order} />
        </>
      )}
    </>
  );
}

/** Only a whole order has `payments`, `today` and `history`; see `ShownOrder`. */
interface OrderProps {
  readonly order: StaffOrder | WholeOrder;
}

/** The lines with their pictures, and today's price where it is another one. */
function Contents({ order }: OrderProps) {
  const today = 'today' in order ? order.today : {};
  return (
    <section aria-label="What to pack">
      <ul className="staff-lines">
        {order.lines.map((line) => (
          <li key={line.productId}>
            <Picture link={line.picture} alt="" sizes="4rem" isEager={false} />
            <div>
              <Link to={productHref(line)} dir="auto">
                {`${line.quantity} × ${line.title}`}
              </Link>
              <p dir="auto">{line.size === '' ? line.skc : `${line.skc}, size ${line.size}`}</p>
              <p className="staff-note">{priceWords(line.unitMinor, today[line.productId])}</p>
            </div>
          </li>
        ))}
      </ul>
      <p>{`Total ${formatTotal(order.totalMinor)}`}</p>
    </section>
  );
}

/** @param now the price today; null where it is not on sale, undefined where it is not known */
function priceWords(paid: number, now: number | null | undefined): string {
  const each = `${formatPrice(paid)} each`;
  if (now === undefined || now === paid) return each;
  return now === null ? `${each}; no longer in the shop` : `${each}; now ${formatPrice(now)}`;
}

/** How the order stands, where it goes, and its payment. */
function Facts({ order }: OrderProps) {
  const address = addressLines(order.address);
  const { email, trackingUrl } = order;
  return (
    <section aria-label="Order">
      {stateLines(order).map((words) => (
        <p key={words}>{words}</p>
      ))}
      {trackingUrl !== null && (
        <a href={trackingUrl} target="_blank" rel="noreferrer">
          Track package
        </a>
      )}
      <address>
        <AddressLines address={order.address} />
        {email !== '' && <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>}
      </address>
      {address.length === 0 && <p>The address was deleted with the account.</p>}
      <div className="choice">
        <button
          type="button"
          className="quiet"
          onClick={() => void copyAddress(address.join('\n'))}
        >
          Copy address
        </button>
        <button type="button" className="quiet" onClick={() => window.print()}>
          Print packing slip
        </button>
      </div>
      {'payments' in order &&
        order.payments.map(({ id, href, provider }) => (
          <a key={id} href={href} target="_blank" rel="noreferrer">
            {`See or refund the payment in ${provider}`}
          </a>
        ))}
    </section>
  );
}

interface ChangeProps extends OrderProps {
  readonly isDisabled: boolean;
  readonly change: (change: OrdersChange) => Promise<void>;
}

/** Marks a paid order as sent, or takes that back. */
function Sending({ order, isDisabled, change }: ChangeProps) {
  const id = useId();
  if (order.sentAt !== null) {
    return (
      <button
        ref={focusHeadingWhenRemoved}
        type="button"
        className="quiet"
        aria-disabled={isDisabled}
        onClick={() => void change({ change: 'unsend' })}
      >
        Mark as not sent
      </button>
    );
  }
  function send(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const text = (name: string) => textIn(event.currentTarget, name);
    void change({ change: 'send', carrier: text('carrier'), tracking_url: text('tracking') });
  }
  return (
    <form ref={focusHeadingWhenRemoved} className={`field ${label['label']}`} onSubmit={send}>
      {order.dispute === 'open' && (
        <p>The customer is disputing this payment. Check the dispute before you ship.</p>
      )}
      {order.refundedMinor >= order.receivedMinor && <p>This order was fully refunded.</p>}
      <label htmlFor={`${id}carrier`}>Carrier (optional)</label>
      <input id={`${id}carrier`} name="carrier" maxLength={LONGEST_CARRIER} />
      <label htmlFor={`${id}tracking`}>Tracking link (optional)</label>
      <input
        id={`${id}tracking`}
        name="tracking"
        type="url"
        pattern="https://.*"
        title="A link that starts with https://"
        placeholder="https://"
        maxLength={LONGEST_TRACKING_URL}
      />
      <button type="submit" className="button" aria-disabled={isDisabled}>
        Mark as sent
      </button>
    </form>
  );
}

/** Closes the review of an order. A paid order has no choice of outcome: it stays paid, and was perhaps paid twice. */
function Review({ order, isDisabled, change }: ChangeProps) {
  const id = useId();
  function close(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const isCancelled = textIn(event.currentTarget, 'outcome') === 'cancelled';
    const note = textIn(event.currentTarget, 'note');
    void change({ change: 'close', outcome: isCancelled ? 'cancelled' : 'paid', note });
  }
  return (
    <form ref={focusHeadingWhenRemoved} className={`field ${label['label']}`} onSubmit={close}>
      {order.state !== 'paid' && (
        <>
          <label htmlFor={`${id}outcome`}>Outcome</label>
          <select id={`${id}outcome`} name="outcome">
            <option value="paid">Paid: ship it</option>
            <option value="cancelled">Cancelled and refunded</option>
          </select>
        </>
      )}
      <label htmlFor={`${id}note`}>What you found out (included in the buyer’s data export)</label>
      <input id={`${id}note`} name="note" required maxLength={1000} />
      <button type="submit" className="quiet" aria-disabled={isDisabled}>
        Close the review
      </button>
    </form>
  );
}

function History({ order }: { readonly order: WholeOrder }) {
  return (
    <section aria-label="History">
      <h2>History</h2>
      <ol>
        {order.history.map(({ at, words }) => (
          <li key={at + words}>
            <time dateTime={at}>{SHORT_TIME.format(new Date(at))}</time> <span>{words}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
