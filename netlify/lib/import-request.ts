/** Validates the fields of requests about imports. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import * as v from 'valibot';
import { MAX_ROWS } from '../../src/csv/columns.ts';
import { type Fields, isUuid } from '../../src/domain/fields.ts';
import { replaceControls } from './escape.ts';
import { HttpError, MAX_UPLOAD_BYTES, parseBody } from './http.ts';

/** Says which part of which import an upload is. */
export interface PartPosition {
  readonly importId: string;
  /** From 0. */
  readonly part: number;
  /** Null while the sender does not know how many there are. */
  readonly totalParts: number | null;
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
const NO_UUID = 'importId must be a UUID.';
const NO_DIGEST = 'fileDigest must be 64 hexadecimal digits.';
const NO_GZIP = 'csvGzip must be the text of a CSV file in UTF-8, compressed with gzip, in base64.';

export const IMPORT_ID = v.pipe(
  v.string(NO_UUID),
  v.toLowerCase(),
  v.check((id: string) => isUuid(id), NO_UUID),
);

/** Of a whole file, by which an import of it is found again. */
export const FILE_DIGEST = v.nullish(
  v.pipe(v.string(NO_DIGEST), v.regex(/^[0-9a-f]{64}$/, NO_DIGEST)),
  null,
);

/** A label for people. Characters that the database cannot store are replaced, not rejected. */
const FILE_NAME = v.pipe(
  v.string('fileName must be text.'),
  v.transform((text) => replaceControls(text.slice(0, MAX_FILE_NAME_CHARS).toWellFormed()) || null),
);

export const wholeNumber = (name: string, least: number, most: number) =>
  v.custom<number>(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    `${name} must be a whole number from ${least} to ${most}.`,
  );

const count = (name: string) => v.nullish(wholeNumber(name, 0, MAX_ROWS), 0);

export const flag = (name: string) => v.nullish(v.boolean(`${name} must be true or false.`), false);

/** Pairs of stock code and size. */
const keys = <Size>(name: string, isSize: (value: unknown) => value is Size) => {
  const isKey = (key: unknown): key is readonly [string, Size] =>
    Array.isArray(key) && key.length === 2 && isText(key[0]) && isSize(key[1]);
  return v.nullish(
    v.custom<readonly (readonly [string, Size])[]>(
      (list) => Array.isArray(list) && list.length <= MAX_ROWS && list.every(isKey),
      `${name} must be a list of stock codes and sizes.`,
    ),
    [],
  );
};

/** The database stores neither NUL nor lone surrogates. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}

function isSizeOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}

/** The specification's request has only `csv`. */
const UPLOAD = v.object({
  csv: v.nullish(v.string('csv must be the text of a CSV file.'), null),
  csvGzip: v.nullish(v.pipe(v.string(NO_GZIP), v.regex(/^[A-Za-z0-9+/]*={0,2}$/, NO_GZIP)), null),
  importId: v.nullish(IMPORT_ID, null),
  part: v.nullish(wholeNumber('part', 0, MAX_PARTS - 1), null),
  totalParts: v.nullish(wholeNumber('totalParts', 1, MAX_PARTS), null),
  fileName: v.nullish(FILE_NAME, null),
  fileDigest: FILE_DIGEST,
  blankCellsClear: flag('blankCellsClear'),
  // The rows of the file that the sender has left out of all parts.
  leftOut: v.nullish(
    v.object(
      { replaced: count('replaced'), rejected: count('rejected'), skipped: count('skipped') },
      'leftOut must be an object of counts.',
    ),
    {},
  ),
  isRange: flag('isRange'),
  kept: keys('kept', isSizeOrNull),
  hidden: keys('hidden', isText),
});

/**
 * The file's text is in `csv`, or compressed in `csvGzip`. Unknown fields are ignored, and null counts as absent.
 *
 * @throws HttpError 400 naming the field, 413 for a compressed text that is too long
 */
export async function parseUpload(fields: Fields) {
  const parsed = parseBody(UPLOAD, fields);
  const { csv, csvGzip, importId, part, totalParts, isRange, kept, hidden, ...others } = parsed;
  return {
    ...others,
    csv: await textOf(csv, csvGzip),
    position: positionOf(importId, part, totalParts),
    aside: { isRange, kept, hidden },
  };
}

async function textOf(csv: string | null, csvGzip: string | null): Promise<string> {
  if (csv !== null && csvGzip !== null) {
    throw new HttpError(400, 'The file must be in csv or in csvGzip, not in both.');
  }
  if (csv !== null) return csv;
  if (csvGzip === null) throw new HttpError(400, 'csv must be the text of a CSV file.');
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
    throw new HttpError(400, NO_GZIP);
  }
}

/**
 * Null for an upload that names no import. Without `part` an upload is the first part of its import; without
 * `totalParts` too, it is the only one.
 */
function positionOf(
  importId: string | null,
  part: number | null,
  totalParts: number | null,
): PartPosition | null {
  if (importId === null) {
    if (part === null && totalParts === null) return null;
    throw new HttpError(400, 'part and totalParts need an importId.');
  }
  const position = {
    importId,
    part: part ?? 0,
    totalParts: part === null ? (totalParts ?? 1) : totalParts,
  };
  if (position.totalParts !== null && position.part >= position.totalParts) {
    throw new HttpError(400, 'part counts from 0, so it must be below totalParts.');
  }
  return position;
}
