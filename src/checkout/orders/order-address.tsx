import { countryName } from '../../domain/address.ts';
import type { Order } from '../../domain/order.ts';
import { orderNumber } from '../../domain/order-number.ts';
import { contactAbout } from '../../domain/shop-note.ts';
import { sentWords } from '../../domain/sent.ts';
import styles from './order-address.module.css';

const CONTACT = import.meta.env.VITE_SHOP_CONTACT;

/** Where an order is sent, where its parcel is once it is on its way, and how to write to the shop about it. */
export function OrderAddress({ order }: { readonly order: Order }) {
  const { address, trackingUrl } = order;
  const sent = sentWords(order);
  const number = orderNumber(order.id);
  const { full_name, address_line1, city, state: region, postal_code, country } = address;
  return (
    <div className={styles['destination']}>
      <p className={styles['label']}>Goes to</p>
      <address>
        <span dir="auto">{full_name}</span>
        <span dir="auto">{address_line1}</span>
        <span dir="auto">{`${city}, ${region} ${postal_code}`}</span>
        <span>{countryName(country)}</span>
      </address>
      {sent !== null && <p dir="auto">{sent}</p>}
      {trackingUrl !== null && (
        <a href={trackingUrl} target="_blank" rel="noreferrer">
          Follow the parcel
        </a>
      )}
      {CONTACT && (
        <p>
          <a className={styles['contact']} href={contactAbout(CONTACT, `Order ${number}`)}>
            Write to us<span className="visually-hidden">{` about order ${number}`}</span>
          </a>
        </p>
      )}
    </div>
  );
}
