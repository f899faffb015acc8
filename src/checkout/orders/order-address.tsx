import { countryName } from '../../domain/address.ts';
import type { Order } from '../../domain/order.ts';
import { sentWords } from '../../domain/sent.ts';
import styles from './order-address.module.css';

/** The address to which an order is sent, and where its parcel is once it is on its way. */
export function OrderAddress({ order }: { readonly order: Order }) {
  const { address, trackingUrl } = order;
  const sent = sentWords(order);
  const { full_name, address_line1, city, state: region, postal_code, country } = address;
  return (
    <div className={styles['destination']}>
      <p className={styles['label']}>Ship to</p>
      <address>
        <span dir="auto">{full_name}</span>
        <span dir="auto">{address_line1}</span>
        <span dir="auto">{`${city}, ${region} ${postal_code}`}</span>
        <span>{countryName(country)}</span>
      </address>
      {sent !== null && <p dir="auto">{sent}</p>}
      {trackingUrl !== null && (
        <a href={trackingUrl} target="_blank" rel="noreferrer">
          Track package
        </a>
      )}
    </div>
  );
}
