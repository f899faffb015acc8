import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useShopper } from '../account/queries.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { Arriving } from '../ui/arriving.tsx';
import { Link } from '../ui/link.tsx';
import { loginHere } from '../ui/log-in-first.ts';
import { PageTitle } from '../ui/page-title.tsx';
import { OneOrder } from './one-order.tsx';
import { OrderList } from './order-list.tsx';
// A file of its own: the stylesheet of the shop is stored on the devices of all shoppers.
import stylesheet from './staff.css?url';

/** `/admin/orders`: a list of orders, or with `?order=` one of them. */
export function StaffOrders({ tokens }: { readonly tokens: TokenSource }) {
  const shopper = useShopper();
  const [params] = useSearchParams();
  const [turn, setTurn] = useState(0);
  const order = params.get('order');
  const onChanged = () => setTurn((last) => last + 1);
  return (
    <div className="staff">
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {shopper === undefined && <Arriving />}
      {shopper === null && (
        <>
          <PageTitle>Orders to Send</PageTitle>
          <p>Log in as staff to see the shop’s orders.</p>
          <Link className="button" to={loginHere()}>
            Log in
          </Link>
        </>
      )}
      {shopper && order === null && (
        <OrderList
          key={shopper.uid}
          reader={{ uid: shopper.uid, tokens, turn }}
          onChanged={onChanged}
        />
      )}
      {shopper && order !== null && (
        <OneOrder
          key={`${shopper.uid} ${order}`}
          id={order}
          reader={{ uid: shopper.uid, tokens, turn }}
          onChanged={onChanged}
        />
      )}
    </div>
  );
}
