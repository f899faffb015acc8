import { useSearchParams } from 'react-router-dom';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { OneOrder } from './one-order.tsx';
import { OrderList } from './order-list.tsx';
import { StaffPage } from './page.tsx';
import { OneProduct } from './products/one-product.tsx';
import { ProductList } from './products/product-list.tsx';

interface StaffProps {
  readonly tokens: TokenSource;
}

/** `/admin/orders`: a list of orders, or with `?order=` one of them. */
export function StaffOrders({ tokens }: StaffProps) {
  const [params] = useSearchParams();
  const order = params.get('order');
  const note = 'Log in as staff to see the shop’s orders.';
  return (
    <StaffPage tokens={tokens} title="Orders to Send" note={note}>
      {(reader, onChanged) =>
        order === null ? (
          <OrderList key={reader.uid} {...{ reader, onChanged }} />
        ) : (
          <OneOrder key={`${reader.uid} ${order}`} id={order} {...{ reader, onChanged }} />
        )
      }
    </StaffPage>
  );
}

/** `/admin/products`: a list of products, or with `?product=` all sizes of one stock code. */
export function StaffProducts({ tokens }: StaffProps) {
  const [params] = useSearchParams();
  const code = params.get('product');
  const note = 'Log in as staff to change the shop’s products.';
  return (
    <StaffPage tokens={tokens} title="Products" note={note}>
      {(reader, onChanged) =>
        code === null ? (
          <ProductList key={reader.uid} reader={reader} />
        ) : (
          <OneProduct key={`${reader.uid} ${code}`} {...{ code, reader, onChanged }} />
        )
      }
    </StaffPage>
  );
}
