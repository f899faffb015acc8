import type { Order } from '../../domain/order.ts';
import { orderNumber } from '../../domain/order-number.ts';
import { contactAbout } from '../../domain/shop-note.ts';
import { sentWords } from '../../domain/sent.ts';
import { AddressLines } from '../../ui/address-lines.tsx';
import styles from './order-address.module.css';

const CONTACT = import.meta.env.VITE_SHOP_CONTACT;

/** Where an order is sent, where its parcel is once it is on its way, and how to write to the shop about it. */
export function OrderAddress({ order }: { readonly order: Order }) {
  const { address, trackingUrl } = order;
  const sent = sentWords(order);
  const number = orderNumber(order.id);
  return (
    <div className={styles['destination']}>
      <p className={styles['label']}>Ship to</p>
      <address>
        <AddressLines address={address} />
      </address>
      {sent !== null && <p dir="auto">{sent}</p>}
      {trackingUrl !== null && (
        <a href={trackingUrl} target="_blank" rel="noreferrer">
          Track package
        </a>
      )}
      {CONTACT && (
        <p>
          <a className={styles['contact']} href={contactAbout(CONTACT, `Order ${number}`)}>
            Contact us<span className="visually-hidden">{` about order ${number}`}</span>
          </a>
        </p>
      )}
    </div>
  );
}
