import { countryName } from '../../domain/address.ts';
import type { Order } from '../../domain/order.ts';
import styles from './order-address.module.css';

/** The address to which an order is sent. */
export function OrderAddress({ order: { address } }: { readonly order: Order }) {
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
    </div>
  );
}
