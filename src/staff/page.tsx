import { type ReactNode, useState } from 'react';
import { useShopper } from '../account/queries.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { Arriving } from '../ui/arriving.tsx';
import { Link } from '../ui/link.tsx';
import { loginHere } from '../ui/log-in-first.ts';
import { PageTitle } from '../ui/page-title.tsx';
import type { Reader } from './queries.ts';
// A file of its own: the stylesheet of the shop is stored on the devices of all shoppers.
import stylesheet from './staff.css?url';

interface StaffPageProps {
  readonly tokens: TokenSource;
  readonly title: string;
  /** What a visitor who is not logged in reads. */
  readonly note: string;
  /** The page of a user; `onChanged` makes it read anew. */
  readonly children: (reader: Reader, onChanged: () => void) => ReactNode;
}

/** The frame of the pages of staff. The server says who is staff, when the page asks it. */
export function StaffPage({ tokens, title, note, children }: StaffPageProps) {
  const shopper = useShopper();
  const [turn, setTurn] = useState(0);
  const onChanged = () => setTurn((last) => last + 1);
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <div className="staff">
        {shopper ? (
          children({ uid: shopper.uid, tokens, turn }, onChanged)
        ) : shopper === null ? (
          <>
            <PageTitle>{title}</PageTitle>
            <p>{note}</p>
            <Link className="button" to={loginHere()}>
              Log in
            </Link>
          </>
        ) : (
          <Arriving />
        )}
      </div>
    </>
  );
}
