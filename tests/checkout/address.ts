/** An address for the tests of the checkout. */
import type { ShippingAddress } from '../../src/domain/address.ts';

export const ADDRESS: ShippingAddress = {
  full_name: 'Ada Weaver',
  address_line1: '1 Mill Lane',
  city: 'Chicago',
  state: 'IL',
  postal_code: '60614',
  country: 'US',
};
