import { orderNumber } from '../domain/order-number.ts';
import type { StaffOrder } from '../domain/staff-order.ts';
import { AddressLines } from '../ui/address-lines.tsx';
import { SHORT_DAY } from '../ui/dates.ts';
import { itemsWords } from './words.ts';

/** From this many lines on, the slip is set small in two columns, so that it stays one page. */
const DENSE_FROM = 20;

/** What lies in the parcel, without prices. Only on paper: the rest of the page is not printed then. */
export function PackingSlip({ order }: { readonly order: StaffOrder }) {
  const { id, createdAt, address, lines } = order;
  return (
    <section className="staff-slip" data-dense={lines.length > DENSE_FROM}>
      <h2>{import.meta.env.VITE_STORE_NAME}</h2>
      <p>{`Order ${orderNumber(id)}, ${SHORT_DAY.format(new Date(createdAt))}, ${itemsWords(order)}`}</p>
      <address>
        <AddressLines address={address} />
      </address>
      <ul>
        {lines.map(({ productId, quantity, title, size, skc }) => (
          <li key={productId} dir="auto">
            {`${quantity} × ${title}, ${size === '' ? skc : `size ${size}, ${skc}`}`}
          </li>
        ))}
      </ul>
    </section>
  );
}
