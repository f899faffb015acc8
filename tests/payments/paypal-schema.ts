/**
 * Checks the requests of our functions and the answers of the emulator against PayPal's published schema.
 *
 * The package with the schema has dependencies that cannot be installed, so only its archive is
 * downloaded, verified and kept in `.cache`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const CACHE = join(import.meta.dirname, '../../.cache');
const PACKAGE = '@paypal/paypal-rest-api-specifications@1.0.0';
const ARCHIVE = join(CACHE, 'paypal-paypal-rest-api-specifications-1.0.0.tgz');
const SHA512 =
  'eqXIvFXi0OJIrMwUhbFoHnB7p/n4R+jeG/NTSpZRDGXsxAw3zbE4jYsNzTwsVDnGTDEZCZv9PIa8tEXktEVD6Q==';

const FILES = {
  orders: 'package/openapi/checkout_orders_v2.json',
  payments: 'package/openapi/payments_payment_v2.json',
  disputes: 'package/openapi/customer_disputes_v1.json',
  webhooks: 'package/openapi/notifications_webhooks_v1.json',
} as const;

/** The errors in a body of `POST /v2/checkout/orders`; an empty list for a valid one. */
export function validateOrderRequest(body: unknown): readonly string[] {
  return flawsIn('orders', 'order_request', body);
}

/**
 * The errors in a body, as paths and messages; an empty list for a valid one.
 *
 * @param schema a name under components/schemas
 */
export function flawsIn(
  file: keyof typeof FILES,
  schema: string,
  body: unknown,
): readonly string[] {
  const validate = validatorOf(file, schema);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = '', params }) => {
    const unknownField: unknown = params['unevaluatedProperty'];
    return `${instancePath} ${message}${typeof unknownField === 'string' ? `: ${unknownField}` : ''}`;
  });
}

/** Whether the schema is in `.cache` or can be downloaded. Without a network its tests are skipped. */
export function hasSchema(): boolean {
  try {
    verifyArchive();
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
    validate = ajvOf(file).compile(closeUse({ $ref: name }));
    validators.set(name, validate);
  }
  return validate;
}

function ajvOf(file: keyof typeof FILES): Ajv2020 {
  let ajv = ajvs.get(file);
  if (ajv === undefined) {
    // The schema's patterns are not valid with the flag `u`.
    const options = { strict: false, validateFormats: false, unicodeRegExp: false };
    ajv = new Ajv2020({ ...options, allErrors: true });
    const document = JSON.parse(fileInArchive(FILES[file])) as { components: { schemas: object } };
    ajv.addSchema({ $id: file, components: closeWithin(document.components) });
    ajvs.set(file, ajv);
  }
  return ajv;
}

/**
 * Makes the schemas within a node reject unknown fields, so that a misspelled field is an error. Closes each
 * use of a schema, not its definition: a definition may be part of an `allOf`, whose other parts have other
 * fields.
 */
function closeWithin(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closeWithin);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => {
      if (name === 'properties')
        return [name, mapValues(value, (use) => closeUse(closeWithin(use)))];
      if (name === 'items') return [name, closeUse(closeWithin(value))];
      if (name === 'schemas') return [name, mapValues(value, closeWithin)];
      return [name, closeWithin(value)];
    }),
  );
}

/** Makes a use of a schema reject unknown fields, unless the schema allows them explicitly. */
function closeUse(use: unknown): object {
  const isOpen = JSON.stringify(use).includes('"additionalProperties":true');
  return { ...(use as object), ...(isOpen ? {} : { unevaluatedProperties: false }) };
}

function mapValues(record: unknown, change: (value: unknown) => unknown): object {
  const entries = Object.entries(record as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, value]) => [name, change(value)]));
}

/** Downloads the archive where it is missing. @throws when the archive is not the published one */
function verifyArchive(): void {
  if (!existsSync(ARCHIVE)) fetchArchive();
  const sum = createHash('sha512').update(readFileSync(ARCHIVE)).digest('base64');
  if (sum !== SHA512) throw new Error(`${ARCHIVE} is not the archive that was published.`);
}

/** Downloads into a new folder and then renames, because other test workers may look for the file. */
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

function fileInArchive(name: string): string {
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  return execFileSync('tar', ['-xzOf', ARCHIVE, name], options);
}
