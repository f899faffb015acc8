import type { Order } from '../../domain/order.ts';
import { sentWords } from '../../domain/sent.ts';
import { AddressLines } from '../../ui/address-lines.tsx';
import styles from './order-address.module.css';

/** The address to which an order is sent, and where its parcel is once it is on its way. */
export function OrderAddress({ order }: { readonly order: Order }) {
  const { address, trackingUrl } = order;
  const sent = sentWords(order);
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
    </div>
  );
}
