/** Validates the fields of an upload. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { MAX_ROWS } from '../../src/csv/columns.ts';
import { type Fields, fieldsOf, isUuid } from '../../src/domain/fields.ts';
import type { LeftOut } from '../../src/domain/row-counts.ts';
import { replaceControls } from './escape.ts';
import { HttpError, MAX_UPLOAD_BYTES } from './http.ts';

/** Says which part of which import an upload is. */
export interface PartPosition {
  readonly importId: string;
  /** From 0. */
  readonly part: number;
  /** Null while the sender does not know how many there are. */
  readonly totalParts: number | null;
}

export interface Upload {
  readonly csv: string;
  /** Null for an upload that names no import. */
  readonly position: PartPosition | null;
  readonly fileName: string | null;
  /** Of the whole file, by which an import of it is found again; null where the sender names none. */
  readonly fileDigest: string | null;
  readonly blankCellsClear: boolean;
  /** The rows of the file that the sender has left out of all parts. */
  readonly leftOut: LeftOut;
  readonly aside: RowsAside;
}

/** What the sender says of rows that no part holds, by their keys. */
export interface RowsAside {
  /** Whether the file is the whole range of the shop. */
  readonly isRange: boolean;
  /** Rows that keep their products on sale; a size of null means all sizes. */
  readonly kept: readonly (readonly [skc: string, size: string | null])[];
  /** Products that the file says are not on sale. */
  readonly hidden: readonly (readonly [skc: string, size: string])[];
}

const MAX_PARTS = 10_000;
const MAX_FILE_NAME_CHARS = 255;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const NOT_GZIP = 'csvGzip must be the text of a CSV file in UTF-8, packed by gzip, in base64.';

/**
 * The file's text is in `csv`, or compressed in `csvGzip`. Unknown fields are ignored, and null counts as absent.
 *
 * @throws HttpError 400 naming the field, 413 for a compressed text that is too long
 */
export async function parseUpload(fields: Fields): Promise<Upload> {
  return {
    csv: await parseCsv(fields['csv'] ?? null, fields['csvGzip'] ?? null),
    position: parsePosition(fields),
    fileName: parseFileName(fields['fileName'] ?? null),
    fileDigest: parseFileDigest(fields['fileDigest'] ?? null),
    blankCellsClear: parseBoolean(fields, 'blankCellsClear'),
    leftOut: parseLeftOut(fieldsOf(fields['leftOut'])),
    aside: {
      isRange: parseBoolean(fields, 'isRange'),
      kept: parseKeys(fields, 'kept', isSizeOrNull),
      hidden: parseKeys(fields, 'hidden', isText),
    },
  };
}

async function parseCsv(csv: unknown, csvGzip: unknown): Promise<string> {
  if (csvGzip === null) {
    if (typeof csv !== 'string') throw new HttpError(400, 'csv must be the text of a CSV file.');
    return csv;
  }
  if (csv !== null) throw new HttpError(400, 'The file must be in csv or in csvGzip, not in both.');
  if (typeof csvGzip !== 'string' || !BASE64.test(csvGzip)) throw new HttpError(400, NOT_GZIP);
  try {
    // Unpacks piece by piece, and stops at the limit: a small body may hold gigabytes.
    const options = { maxOutputLength: MAX_UPLOAD_BYTES };
    const bytes = await promisify(gunzip)(Buffer.from(csvGzip, 'base64'), options);
    // As in JSON, a byte order mark is a part of the text.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (thrown) {
    if (thrown instanceof RangeError) {
      throw new HttpError(413, `Unpacked, csvGzip is larger than ${MAX_UPLOAD_BYTES / 1024} kB.`);
    }
    throw new HttpError(400, NOT_GZIP);
  }
}

/** @throws HttpError 400 */
export function parseImportId(value: unknown): string {
  const id = typeof value === 'string' ? value.toLowerCase() : value;
  if (!isUuid(id)) throw new HttpError(400, 'importId must be a UUID.');
  return id;
}

/** Without `part` an upload is the first part of its import. Without `totalParts` too, it is the only one. */
function parsePosition(fields: Fields): PartPosition | null {
  const part = parseInteger(fields, 'part', 0, MAX_PARTS - 1);
  const totalParts = parseInteger(fields, 'totalParts', 1, MAX_PARTS);
  const importId = fields['importId'] ?? null;
  if (importId === null) {
    if (part === null && totalParts === null) return null;
    throw new HttpError(400, 'part and totalParts need an importId.');
  }
  const position = {
    importId: parseImportId(importId),
    part: part ?? 0,
    totalParts: part === null ? (totalParts ?? 1) : totalParts,
  };
  if (position.totalParts !== null && position.part >= position.totalParts) {
    throw new HttpError(400, 'part counts from 0, so it must be below totalParts.');
  }
  return position;
}

/** Absent counts are 0: the specification's request has only `csv`. */
function parseLeftOut(fields: Fields): LeftOut {
  const countOf = (name: keyof LeftOut) => parseInteger(fields, name, 0, MAX_ROWS) ?? 0;
  return {
    replaced: countOf('replaced'),
    rejected: countOf('rejected'),
    skipped: countOf('skipped'),
  };
}

/** @throws HttpError 400 */
export function parseConfirmed(fields: Fields): number | null {
  return parseInteger(fields, 'confirmed', 0, Number.MAX_SAFE_INTEGER);
}

/** Pairs of stock code and size; absent for none. */
function parseKeys<Size>(
  fields: Fields,
  name: string,
  isSize: (value: unknown) => value is Size,
): readonly (readonly [string, Size])[] {
  const list = fields[name] ?? [];
  const isKey = (key: unknown): key is readonly [string, Size] =>
    Array.isArray(key) && key.length === 2 && isText(key[0]) && isSize(key[1]);
  if (Array.isArray(list) && list.length <= MAX_ROWS && list.every(isKey)) return list;
  throw new HttpError(400, `${name} must be a list of stock codes and sizes.`);
}

/** The database stores neither NUL nor lone surrogates. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}

function isSizeOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}

function parseInteger(fields: Fields, name: string, least: number, most: number): number | null {
  const value = fields[name] ?? null;
  if (value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw new HttpError(400, `${name} must be a whole number from ${least} to ${most}.`);
  }
  return value;
}

function parseBoolean(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false;
  if (typeof value !== 'boolean') throw new HttpError(400, `${name} must be true or false.`);
  return value;
}

/** @throws HttpError 400 */
export function parseFileDigest(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return value;
  throw new HttpError(400, 'fileDigest must be 64 hexadecimal digits.');
}

/** A label for people. Characters that the database cannot store are replaced, not rejected. */
function parseFileName(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value !== 'string') throw new HttpError(400, 'fileName must be text.');
  const name = replaceControls(value.slice(0, MAX_FILE_NAME_CHARS).toWellFormed());
  return name === '' ? null : name;
}
