import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ShopperView } from '../db/shopper-store.ts';
import { type Order, orderStateWords } from '../domain/order.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { Link } from '../ui/link.tsx';
import { Arriving } from '../ui/arriving.tsx';
import { OrderSummary } from './lines.tsx';
import { OrderAddress } from './orders/order-address.tsx';
import styles from './page.module.css';
import { payByCard } from './pay/card.ts';
import { useStatusOnReturn } from './pay/coming-back.ts';
import { PayFoot } from './pay/pay-foot.tsx';
import { type PaymentMethod, PaymentMethodToggle } from './pay/payment-method.tsx';
import { mayResumePayPal } from './pay/paypal-return.ts';
import { useOrderPayment } from './pay/use-order-payment.ts';
import { useCheckoutRemote, useOrderRefresh, useOrders } from './queries.ts';

interface PayOrderProps {
  readonly view: ShopperView;
  readonly orderId: string;
  readonly tokens: TokenSource;
}

/** Lets the shopper pay an order that is placed already and waits for payment. */
export function PayOrder({ view, orderId, tokens }: PayOrderProps) {
  const { uid } = view.shopper;
  const refreshState = useOrderRefresh(uid, tokens);
  const orders = useOrders(uid);
  const order = orders?.find(({ id }) => id === orderId);
  if (order?.state === 'pending') return <PayForm view={view} order={order} tokens={tokens} />;
  if (!order && (orders === undefined || refreshState === null)) return <Arriving />;
  return (
    <div role="status" className={styles['words']}>
      <p>
        {order ? `${orderStateWords(order.state)}.` : 'We couldn’t find this order on this device.'}
      </p>
      <p>
        <Link to="/orders">Your Orders</Link>
      </p>
    </div>
  );
}

interface PayFormProps extends Omit<PayOrderProps, 'orderId'> {
  readonly order: Order;
}

function PayForm({ view, order, tokens }: PayFormProps) {
  const remote = useCheckoutRemote(tokens, view.shopper.uid);
  const navigate = useNavigate();
  const [method, setMethod] = useState<PaymentMethod>(mayResumePayPal() ? 'paypal' : 'card');
  const payment = useOrderPayment(order, view);
  const go = (href: string) => void navigate(href);
  useStatusOnReturn(remote, payment, go);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (method === 'card') void payByCard(payment, remote);
  }

  return (
    <form className={styles['form']} method="post" noValidate onSubmit={submit}>
      <div className={styles['column']}>
        <PaymentMethodToggle
          method={method}
          onChoose={(next) => payment.stage === 'idle' && setMethod(next)}
        />
        <div className={styles['address']}>
          <OrderAddress order={order} />
        </div>
      </div>
      <div className={styles['column']}>
        <OrderSummary lines={order.lines} total={order.totalMinor} />
        <PayFoot {...{ payment, method, remote, go, view }} back={BACK} />
      </div>
    </form>
  );
}

const BACK = { href: '/orders', label: 'Back to Your Orders' };
