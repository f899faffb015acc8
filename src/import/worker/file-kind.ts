/**
 * Detects the kind of a file from its content, because many workbooks, web pages and archives are named
 * .csv. For each kind there is a sentence that names it and says what to do instead.
 */
import { MAX_FILE_BYTES } from '../../csv/columns.ts';
import { readBytes } from './file-text.ts';
import type { Encoding } from '../protocol.ts';

export type FileKind =
  /** `encoding` is null where the beginning of the file does not show it. */
  | { readonly kind: 'text'; readonly encoding: Encoding | null }
  | { readonly kind: 'not-csv'; readonly sentence: string };

const HEAD_BYTES = 64 * 1024;

/** @throws UnreadableFile */
export async function fileKindOf(file: Blob, chosenEncoding: Encoding | null): Promise<FileKind> {
  if (file.size === 0) return notCsv('This file is empty.');
  if (file.size > MAX_FILE_BYTES) {
    const size = Math.ceil(file.size / 1024 / 1024);
    const limit = MAX_FILE_BYTES / 1024 / 1024;
    return notCsv(
      `This file is ${size} MB, and the limit is ${limit} MB. Split it into several files.`,
    );
  }
  const head = new Uint8Array(await readBytes(file.slice(0, HEAD_BYTES)));
  if (startsWith(head, ZIP)) {
    // The end has the list of the archive's files.
    const tail = new Uint8Array(await readBytes(file.slice(-HEAD_BYTES)));
    return notCsv(archiveSentence(latinText(head) + latinText(tail)));
  }
  for (const [bytes, sentence] of SIGNATURES) if (startsWith(head, bytes)) return notCsv(sentence);
  const encoding = encodingByMark(head) ?? encodingByZeros(head);
  const readAs = chosenEncoding ?? encoding ?? 'utf-8';
  const text = new TextDecoder(readAs).decode(head).trimStart();
  for (const [start, sentence] of TEXT_FORMATS) if (start.test(text)) return notCsv(sentence);
  if (!readAs.startsWith('utf-16') && isBinary(head)) return notCsv(BINARY);
  return { kind: 'text', encoding };
}

function notCsv(sentence: string): FileKind {
  return { kind: 'not-csv', sentence };
}

const SAVE_AS = 'Open it in Excel, save it as "CSV UTF-8", and choose the new file here.';
const EXCEL = `This is an Excel workbook, not a CSV file. ${SAVE_AS}`;
const OFFICE = 'This is a spreadsheet, not a CSV file. Open it and save it as "Text CSV".';
const ARCHIVE = 'This is a compressed archive. Unpack it and choose the CSV file inside.';
const PDF = 'This is a PDF document, not a CSV file. Ask for it as a CSV or Excel file.';
const JSON_DATA = 'This is JSON, not a CSV file. Export it again and choose CSV.';
const BINARY = 'This isn’t a text file, so it can’t be CSV. Export it again as CSV.';
const WEB_PAGE =
  'This is a web page (HTML or XML), whatever its name says. ' +
  'Open it in Excel and save it as "CSV UTF-8".';

/** The first bytes of a zip archive that holds files; workbooks are such archives. */
const ZIP = [0x50, 0x4b, 3, 4];

/** The first bytes of a file, by format. Of other files that are no text, `BINARY` says enough. */
const SIGNATURES: readonly (readonly [bytes: readonly number[], sentence: string])[] = [
  [[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], EXCEL], // .xls
  [[0x1f, 0x8b], ARCHIVE], // gzip
];

const TEXT_FORMATS: readonly (readonly [start: RegExp, sentence: string])[] = [
  [/^%PDF-/, PDF],
  [/^<(!--|(!doctype|\?xml|html|head|meta|body|table|div|svg)\b)/i, WEB_PAGE],
  [/^(\{\s*("|\}$)|\[\s*([{["]|\]$))/, JSON_DATA],
];

function archiveSentence(text: string): string {
  if (text.includes('xl/workbook') || text.includes('xl/worksheets')) return EXCEL;
  const isOffice = text.includes('opendocument.spreadsheet') || text.includes('Index/Document.iwa');
  return isOffice ? OFFICE : ARCHIVE;
}

/** Detects the encoding by the byte order mark. Source: Encoding Standard, "BOM sniff". */
function encodingByMark(head: Uint8Array): Encoding | null {
  if (startsWith(head, [0xef, 0xbb, 0xbf])) return 'utf-8';
  if (startsWith(head, [0xff, 0xfe])) return 'utf-16le';
  return startsWith(head, [0xfe, 0xff]) ? 'utf-16be' : null;
}

/**
 * Detects UTF-16 without a mark: headings are mostly ASCII letters, so nearly every other byte is 0. It is
 * enough that a fifth of all bytes are 0 and nearly all of these are at even, or at odd, positions.
 */
function encodingByZeros(head: Uint8Array): Encoding | null {
  const length = Math.min(head.length, 512);
  const zeros = [0, 0];
  for (let i = 0; i < length; i++) if (head[i] === 0) zeros[i % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  const many = length / 5;
  if (odd > many && even < odd / 8) return 'utf-16le';
  return even > many && odd < even / 8 ? 'utf-16be' : null;
}

/** Whether more than 2 % are control characters, as in no text. Where there are fewer, the check reports each row. */
function isBinary(head: Uint8Array): boolean {
  let controls = 0;
  // Tab, line breaks (9 to 13) and escape (27), which Japanese encodings use, stand in texts.
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) controls += 1;
  return controls > head.length / 50;
}

function startsWith(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, i) => head[i] === byte);
}

function latinText(bytes: Uint8Array): string {
  return new TextDecoder('windows-1252').decode(bytes);
}
