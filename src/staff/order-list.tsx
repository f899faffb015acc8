import { type SubmitEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { formatTotal } from '../domain/money.ts';
import { orderNumber } from '../domain/order-number.ts';
import { LONGEST_CARRIER } from '../domain/sent.ts';
import type { StaffOrder } from '../domain/staff-order.ts';
import type { OrdersQuery } from '../remote/staff.ts';
import { SHORT_DAY } from '../ui/dates.ts';
import { Link } from '../ui/link.tsx';
import { focusHeadingWhenRemoved, PageTitle } from '../ui/page-title.tsx';
import { requestChange, saveOrdersToSend } from './mutations.ts';
import { type Reader, useStaffOrders } from './queries.ts';
import { freshnessWords, itemsWords, stateLines } from './words.ts';

const LISTS = [
  { name: 'to-send', label: 'To send', none: 'No orders to send.' },
  { name: 'sent', label: 'Sent', none: 'Nothing has been sent yet.' },
  { name: 'open', label: 'Unpaid', none: 'No orders are waiting for payment.' },
  { name: 'person', label: 'Needs attention', none: 'No orders need your attention.' },
] as const;

interface OrderListProps {
  readonly reader: Reader;
  readonly onChanged: () => void;
}

export function OrderList({ reader, onChanged }: OrderListProps) {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const search = params.get('search')?.trim() ?? '';
  const list = LISTS.find(({ name }) => name === params.get('list')) ?? LISTS[0];
  const isSearch = search !== '';

  function find(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const words = textIn(event.currentTarget, 'search');
    void navigate(`/admin/orders?${new URLSearchParams({ search: words })}`);
  }

  return (
    <>
      <PageTitle>Orders to Send</PageTitle>
      <nav aria-label="Order lists">
        {LISTS.map(({ name, label }) => (
          <Link
            key={name}
            className="thread"
            to={`/admin/orders?list=${name}`}
            aria-current={!isSearch && name === list.name ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <form role="search" aria-label="Orders" className="field staff-row" onSubmit={find}>
        <input
          key={search}
          type="search"
          name="search"
          aria-label="Number, name, email or stock code"
          placeholder="Number, name, email or stock code"
          maxLength={200}
          defaultValue={search}
        />
        <button type="submit" className="quiet">
          Search
        </button>
      </form>
      <Orders
        key={`${list.name} ${search}`}
        reader={reader}
        query={isSearch ? { search } : { list: list.name }}
        none={isSearch ? 'No orders found.' : list.none}
        onChanged={onChanged}
      />
    </>
  );
}

/** The text of a field, without white space at its ends. */
export function textIn(form: HTMLFormElement, name: string): string {
  const text = new FormData(form).get(name);
  return typeof text === 'string' ? text.trim() : '';
}

interface OrdersProps extends OrderListProps {
  readonly query: OrdersQuery;
  /** The sentence for an empty list. */
  readonly none: string;
}

function Orders({ reader, query, none, onChanged }: OrdersProps) {
  const [pages, setPages] = useState(1);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const polled = useStaffOrders(reader, query, pages);
  const shown = polled.value?.orders ?? [];
  const toSend = shown.filter(({ id }) => chosen.has(id));
  const isToSend = 'list' in query && query.list === 'to-send' && shown.length > 0;
  const isDisabled = toSend.length === 0 || polled.failure !== null;

  function choose(id: string, isChosen: boolean): void {
    const others = [...chosen].filter((other) => other !== id);
    setChosen(new Set(isChosen ? [...others, id] : others));
  }

  async function send(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isDisabled) return;
    const carrier = textIn(event.currentTarget, 'carrier');
    setChosen(new Set());
    const isDone = await requestChange(reader, toSend, { change: 'send', carrier }, onChanged);
    // After a failure the same orders are chosen again, with those that were chosen since.
    if (!isDone) setChosen((since) => new Set([...chosen, ...since]));
  }

  return (
    <>
      <p role="status">{freshnessWords(polled)}</p>
      {isToSend && (
        <form
          ref={focusHeadingWhenRemoved}
          className="field staff-row"
          onSubmit={(event) => void send(event)}
        >
          <input
            name="carrier"
            aria-label="Carrier"
            placeholder="Carrier"
            maxLength={LONGEST_CARRIER}
          />
          <button type="submit" className="button" aria-disabled={isDisabled}>
            {`Mark ${toSend.length} as sent`}
          </button>
          <button
            type="button"
            className="quiet"
            onClick={() => setChosen(new Set(shown.map(({ id }) => id)))}
          >
            Select all
          </button>
          <button type="button" className="quiet" onClick={() => void saveOrdersToSend(reader)}>
            Save as CSV
          </button>
        </form>
      )}
      {polled.value && shown.length === 0 && <p>{none}</p>}
      <ul className="staff-orders">
        {shown.map((order) => (
          <li key={order.id}>
            {isToSend && (
              <label>
                <input
                  type="checkbox"
                  aria-label={`Select ${orderNumber(order.id)}`}
                  checked={chosen.has(order.id)}
                  onChange={({ currentTarget }) => choose(order.id, currentTarget.checked)}
                />
              </label>
            )}
            <OrderLink order={order} />
          </li>
        ))}
      </ul>
      {polled.value?.hasMore === true && (
        <p>
          <button
            ref={focusHeadingWhenRemoved}
            type="button"
            className="quiet"
            onClick={() => setPages(pages + 1)}
          >
            Show more
          </button>
        </p>
      )}
    </>
  );
}

function OrderLink({ order }: { readonly order: StaffOrder }) {
  const { id, createdAt, paidAt, address, totalMinor } = order;
  const at = paidAt ?? createdAt;
  return (
    <Link to={`/admin/orders?order=${id}`}>
      <strong>{orderNumber(id)}</strong>
      <time dateTime={at}>{SHORT_DAY.format(new Date(at))}</time>
      <span dir="auto">{address.full_name}</span>
      <span>{`${itemsWords(order)}, ${formatTotal(totalMinor)}`}</span>
      <span className="staff-note">{stateLines(order).join(' · ')}</span>
    </Link>
  );
}
