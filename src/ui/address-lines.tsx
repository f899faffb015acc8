import { addressLines, type StoredAddress } from '../domain/address.ts';

/** An address, for an `<address>` that is a grid, so each part is a line. Each may be written from right to left. */
export function AddressLines({ address }: { readonly address: StoredAddress }) {
  const [name, street, place, country] = addressLines(address);
  return (
    <>
      <span dir="auto">{name}</span>
      <span dir="auto">{street}</span>
      <span dir="auto">{place}</span>
      <span dir="auto">{country}</span>
    </>
  );
}
