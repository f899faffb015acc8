/** The words that the specification gives, which no screen may say in another way. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Headings, labels and sentences, as the source of the screens has them. Values stand as `${}`. */
const WORDS = [
  'New Arrivals',
  'All',
  'Untitled',
  'N/A',
  'Add to Cart',
  'Loading products...',
  'No products found for ${}.',
  'No products found for ${} matching “${}”.',
  'Error',
  'Sign In to Your Account',
  'Login Failed',
  'Logging in...',
  'Minimum ${} characters',
  'Registration Error',
  'Registration successful! Please check your email to confirm your account, then you can sign in.',
  'Product Data Import',
  'Start Import',
  'Importing...',
  'Shopping Cart',
  'Remove',
  'Clear Cart',
  'Proceed to Checkout',
  'Your cart is empty',
  'Continue shopping',
  'Pay with Card (Stripe)',
  'Pay with PayPal',
  'Back to Cart',
  'Payment Successful! Thank you for your order.',
  'Continue Shopping',
  'Cart',
  'Admin',
  'Logout',
  'Login',
  'Sign Up',
  'Reading file...',
  'Uploading to serverless function...',
  'Please select a CSV file first.',
  'Please log in to add items to your cart.',
  'Please log in to manage favorites.',
  'You must be logged in to checkout.',
  'You must be logged in.',
  'Access Denied. Redirecting to login...',
  'Failed to load products: ${}',
  'An unexpected error occurred while fetching products.',
  'Authentication session failed. Please log in again.',
  'Import failed: ${}',
  'Server error',
  'Import failed due to client error: ${}',
  'Import successful! Processed ${} records.',
  'Failed to create checkout session',
  'Something went wrong. Please try again.',
  'Stripe error: ',
  'Failed to create PayPal order',
  'Payment was not completed.',
  'Payment capture failed.',
  'PayPal payment failed. Please try again.',
  'Could not load PayPal. Please try again.',
];

/** The source of all screens, its lines joined: once as it is, and once with its values as `${}`. */
const joined = globSync('src/**/*.{ts,tsx}', { cwd: ROOT })
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n')
  .replaceAll(/\s+/g, ' ');
const source = `${joined}\n${joined.replaceAll(/\$\{(?:[^{}`]|`[^`]*`)*\}/g, '${}')}`;

test.each(WORDS)('the shop says: %s', (words) => {
  const quoted = words.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  // A whole text: in quotes, or between the tags of an element. `Cart` goes on with a number, `Stripe error: ` with a reason.
  const end = words.endsWith(' ') ? '' : String.raw`(?:['"\x60]| ?<| ?\{)`;
  expect(source).toMatch(new RegExp(String.raw`(?:['"\x60>\}] ?)${quoted}${end}`));
});
