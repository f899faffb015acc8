/**
 * The sample catalogue as a CSV in the product's own columns.
 *
 * The shop's grid is ordered by stock code, so the codes decide what stands beside what. A
 * code is a dye lot and a dye (`WF-1042-IND`); lots are numbered in an order in which
 * neighbours differ in kind, colour and department. Every picture has its first lot before
 * any has its second. A few rows are incomplete on purpose, as rows in real files are.
 */
import { DYES, type DyeName } from './draw/dyes.ts';
import { pictureName } from './draw/pictures.ts';
import { GARMENTS, type Garment } from './garments.ts';

export const HEADER = [
  'SKC',
  'Size',
  'Images link',
  'Category 1',
  'Category 2',
  'Category 3',
  'Category 4',
  'Retail Price',
  'Material',
  'Fabric Composition',
] as const;

type Row = Record<(typeof HEADER)[number], string>;

interface Lot {
  readonly garment: Garment;
  readonly dye: DyeName;
  /** 0 for the first lot of a picture, 1 for the second. */
  readonly turn: number;
  readonly department: string;
}

/** A fixed whole number for a text: chance that is the same every time (FNV-1a). */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return (hash ^ (hash >>> 15)) >>> 0;
}

const family = ({ garment }: Lot): string => garment.style.split('-')[0] ?? '';

function departmentOf({ department }: Garment, count: number): string {
  return department === 'Both' ? (count % 2 === 0 ? 'Women' : 'Men') : department;
}

function lots(turn: number): Lot[] {
  return GARMENTS.flatMap((garment, g) =>
    garment.dyes.map((dye, d) => ({
      garment,
      dye,
      turn,
      department: departmentOf(garment, g + d + turn),
    })),
  );
}

/** How badly a lot sits after those already laid: higher is worse. The widest grid has 5 columns. */
function clash(lot: Lot, laid: readonly Lot[]): number {
  return laid
    .slice(-11)
    .toReversed()
    .reduce((sum, other, back) => {
      const near = back === 0 || back === 4 ? 3 : back < 6 ? 1.4 : 0.6;
      return (
        sum +
        near *
          ((family(other) === family(lot) ? 5 : 0) +
            (other.garment.use === lot.garment.use ? 1.2 : 0) +
            (other.dye === lot.dye ? 2.4 : 0) +
            (other.department === lot.department ? 0.5 : 0))
      );
    }, 0);
}

/** Lays lots one after another, each time the one that clashes least; big families go early. */
function weave(all: readonly Lot[]): Lot[] {
  const waiting = [...all];
  const laid: Lot[] = [];
  const cost = (lot: Lot): number =>
    clash(lot, laid) -
    waiting.filter((other) => family(other) === family(lot)).length * 0.35 +
    (numberOf(lot.garment.style + lot.dye + lot.turn) % 100) / 60;
  while (waiting.length > 0) {
    const costs = waiting.map(cost);
    const [next] = waiting.splice(costs.indexOf(Math.min(...costs)), 1);
    if (next !== undefined) laid.push(next);
  }
  return laid;
}

/** Sizes of one lot: mostly one, further down the page sometimes two or three. */
function sizesOf({ garment: { sizes, style }, dye, turn }: Lot, at: number): string[] {
  const first = (numberOf(style) + numberOf(dye) + turn) % Math.min(sizes.length, 3);
  const chance = numberOf(dye + style + turn) % 12;
  const count = at < 30 ? 1 : chance === 0 ? 3 : chance < 3 ? 2 : 1;
  return Array.from(
    { length: Math.min(count, sizes.length) },
    (_, i) => sizes[(first + i) % sizes.length] ?? '',
  );
}

function badgeOf({ garment, dye, turn }: Lot): string {
  const chance = numberOf(`badge ${garment.style} ${dye} ${turn}`) % 20;
  if (chance < 3) return 'New';
  if (chance < 5) return 'Last few';
  return garment.composition.includes('organic') ? 'Organic' : '';
}

/** What is missing, by the place of the row: no title once, no price, size or picture three times. */
const GAPS: Readonly<Record<number, keyof Row>> = {
  61: 'Retail Price',
  84: 'Images link',
  103: 'Size',
  127: 'Category 1',
  146: 'Retail Price',
  171: 'Size',
  198: 'Images link',
  219: 'Retail Price',
  236: 'Size',
  251: 'Images link',
};

function rowsOf(lot: Lot, at: number): Row[] {
  const { garment, dye } = lot;
  const SKC = `WF-${1004 + at * 3 + (numberOf(garment.style) % 3)}-${DYES[dye].code}`;
  return sizesOf(lot, at).map((Size) => ({
    SKC,
    Size,
    'Images link': `/pictures/${pictureName(garment.style, dye)}`,
    'Category 1': garment.kind,
    'Category 2': lot.department,
    'Category 3': garment.use,
    'Category 4': badgeOf(lot),
    'Retail Price': garment.price.toFixed(2),
    Material: garment.material,
    'Fabric Composition': garment.composition,
  }));
}

/** The second lots: of what sells best, about one picture in two. */
const again = (lot: Lot): boolean => numberOf(`again ${lot.garment.style} ${lot.dye}`) % 9 < 3;

export function rows(): Row[] {
  const woven = [...weave(lots(0)), ...weave(lots(1).filter(again))];
  const all = woven.flatMap(rowsOf);
  for (const [place, column] of Object.entries(GAPS)) {
    const row = all[Number(place)];
    if (row !== undefined) row[column] = '';
  }
  return all;
}

const cell = (text: string): string =>
  /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

export function catalogueCsv(): string {
  const lines = [
    HEADER.join(','),
    ...rows().map((row) => HEADER.map((name) => cell(row[name])).join(',')),
  ];
  return `${lines.join('\n')}\n`;
}
