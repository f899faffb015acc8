import { addressLines, type StoredAddress } from '../domain/address.ts';

/** An address, a line each: names may be written from right to left. */
export function AddressLines({ address }: { readonly address: StoredAddress }) {
  return addressLines(address).map((line, i) => (
    <span key={i} dir="auto">
      {line}
    </span>
  ));
}
