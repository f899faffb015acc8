/**
 * Checks the orders that our functions ask PayPal for against PayPal's published schema.
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

const FILE = 'package/openapi/checkout_orders_v2.json';

/**
 * The errors in a body of `POST /v2/checkout/orders`, as paths and messages; an empty list for a valid one. Call
 * `hasSchema` before, because only that downloads the schema.
 */
export function validateOrderRequest(body: unknown): readonly string[] {
  validator ??= openValidator();
  if (validator(body)) return [];
  return (validator.errors ?? []).map(({ instancePath, message = '', params }) => {
    const unknownField: unknown = params['unevaluatedProperty'];
    return `${instancePath} ${message}${typeof unknownField === 'string' ? `: ${unknownField}` : ''}`;
  });
}

/** Downloads the schema where `.cache` lacks it. False without a network: skip the tests that need the schema. */
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

let validator: ValidateFunction | undefined;

function openValidator(): ValidateFunction {
  // The schema's patterns are not valid with the flag `u`.
  const options = { strict: false, validateFormats: false, unicodeRegExp: false };
  const ajv = new Ajv2020({ ...options, allErrors: true });
  const document = JSON.parse(fileInArchive(FILE)) as { components: { schemas: object } };
  ajv.addSchema({ $id: 'orders', components: closeWithin(document.components) });
  return ajv.compile(closeUse({ $ref: 'orders#/components/schemas/order_request' }));
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
      // A definition and a part of an `allOf` stay open themselves. Only the uses within them are closed.
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
