/** Which encoding a file is read in, and what the page says where that is a guess. */
import { describe, expect, test } from 'vitest';
import { doubtsAbout } from '../../src/import/doubts.ts';
import { ENCODINGS, type Encoding } from '../../src/import/protocol.ts';
import { surveyBytes } from '../../src/import/worker/encoding-guess.ts';
import { checkOf, newDevice, newPage, tableAfterImport } from './device.ts';
import { encodedAs } from './encoded.ts';
import { AWKWARD, cellOf, fileOf, textOf } from './product-files.ts';

/** A file with this text as the material of its only row. */
const fileIn = (encoding: Encoding, material: string) =>
  new File([encodedAs(encoding, `SKC,Material\nA,"${material}"\n`)], 'list.csv');

test('a list that Excel has saved as Unicode text gives the same table as one in CSV', async () => {
  const text = `\ufeff${textOf(AWKWARD, '\t')}`;
  const utf16 = Uint16Array.from(text, (_, i) => text.charCodeAt(i)); // little-endian on all our machines
  const table = await tableAfterImport(fileOf(AWKWARD));
  expect([...table.keys()]).toEqual(['000123 / M', '000123 / L', 'ÄÖÜ-1 / ', 'B 2 / ']);
  expect(await tableAfterImport(new File([utf16], 'list.txt'))).toEqual(table);
});

test('one stray byte in a file of UTF-8 is one bad cell, though the good letters stand far behind it', async () => {
  const device = newDevice();
  const [plainRows, accentedRows] = [60_000, 20_000];
  const rowsOf = (count: number, word: string) =>
    Array.from({ length: count }, (_, i) => `${word[0]}${i},${word}\n`).join('');
  const parts = [
    'SKC,Material\nX,women',
    Uint8Array.of(0x92), // an apostrophe in Windows-1252
    `s\n${rowsOf(plainRows, 'plain')}${rowsOf(accentedRows, 'Été – Crème')}`,
  ];
  const tab = device.openTab({ limits: { chars: 1_000_000, rows: 10_000 } });
  const check = await checkOf(new File(parts, 'list.csv'), {}, tab);
  const rows = 1 + plainRows + accentedRows;
  expect(check).toMatchObject({ encoding: 'utf-8', guess: null, rows });
  expect(check.problems).toMatchObject([{ fate: 'warned', count: 1, first: { line: 2 } }]);
  await tab.send(newPage());
  expect(device.shop.table.get('É7 / ')).toMatchObject({ Material: 'Été – Crème' });
});

test('the words that a guess rests on are whole, whatever the slices in which the file is read', async () => {
  const file = fileIn('windows-1251', 'Платье хлопок чёрное рубашка шёлк');
  const { signal } = new AbortController();
  const wordsIn = async (sliceBytes: number) => {
    const { words } = await surveyBytes(file, { signal, sliceBytes });
    return words.map((word) => new TextDecoder('windows-1251').decode(word));
  };
  for (const sliceBytes of [1, 2, 7, 1000]) {
    expect(await wordsIn(sliceBytes)).toEqual(['Платье', 'хлопок', 'чёрное', 'рубашка', 'шёлк']);
  }
});

/** Product texts as shops of these countries write them. */
const TEXTS: readonly (readonly [language: string, encoding: Encoding, text: string])[] = [
  ['French', 'windows-1252', 'Été léger, crème, dès l’été, façonné, à bretelles, tissé'],
  ['German', 'windows-1252', 'Größe, Baumwolle – weiß, dünn, Ärmel, Rückenlänge'],
  ['Spanish', 'windows-1252', 'Algodón, niño, pantalón, años, cinturón, señora'],
  ['Portuguese', 'windows-1252', 'Algodão, calções, coração, verão, manhã, lã'],
  ['Danish', 'windows-1252', 'Grøn, blå, kjoler på tværs, ærmer, størrelse'],
  ['Icelandic', 'windows-1252', 'Peysa úr ull, það, fatnaður, síðbuxur, þunnt, kápa, grænn'],
  ['French with a price in euros', 'iso-8859-15', 'Crème, été, 50 €, laine mêlée'],
  ['French on a Mac', 'macintosh', 'Été léger, crème, façonné, à bretelles, tissé, dès'],
  ['German on a Mac', 'macintosh', 'Größe, Baumwolle weiß, dünn, Ärmel, Rücken'],
  ['Polish', 'windows-1250', 'Sukienka z bawełny, różowa, rękaw, wełna, żółty, śliczna'],
  ['Czech', 'windows-1250', 'Žluté šaty, dětské, kalhoty, růžový, černá, hedvábí, střih'],
  ['Hungarian', 'windows-1250', 'Női ruha, gyapjú, fűző, zöld, rövid, bőr, színű, hosszú'],
  ['Turkish', 'windows-1254', 'Gömlek, çiçekli, kısa kollu, yeşil, ağırlık, İpek, kırmızı'],
  ['Greek', 'windows-1253', 'Φόρεμα, βαμβάκι, μαύρο, γυναικεία, παντελόνι, άσπρο, Πουκάμισο'],
  ['Greek capitals', 'windows-1253', 'ΦΟΡΕΜΑ ΠΟΥΚΑΜΙΣΟ ΠΑΝΤΕΛΟΝΙ'],
  ['Russian', 'windows-1251', 'Платье, хлопок, чёрное, рубашка, шёлк, Женская одежда'],
  ['Russian capitals', 'windows-1251', 'ПЛАТЬЕ ХЛОПОК РУБАШКА БРЮКИ'],
  ['Ukrainian', 'windows-1251', 'Сукня, бавовна, жіноча, сорочка, шовк, Вовна'],
  ['Japanese', 'shift_jis', 'ワンピース、綿１００％、長袖シャツ、レディース、黒、スカートの丈'],
  ['Chinese', 'gb18030', '连衣裙，纯棉，长袖衬衫，黑色，女装，羊毛混纺'],
  ['traditional Chinese', 'big5', '連衣裙，純棉，長袖襯衫，黑色，女裝，羊毛混紡'],
  ['Korean', 'euc-kr', '원피스, 면 소재, 긴팔 셔츠, 검정색, 여성 의류, 울 혼방'],
];

describe('the letters show the encoding of a text in', () => {
  test.each(TEXTS)('%s', async (_language, encoding, text) => {
    const check = await checkOf(fileIn(encoding, text));
    expect(check.encoding).toBe(encoding);
    expect(cellOf(check.preview[0], 'Material')).toBe(text);
    expect(check.rejected).toBe(0);
    expect(check.guess).toMatchObject({ isDoubtful: false });
  });
});

test('a guess shows the words that it changed, before and after, and what else they could be', async () => {
  const check = await checkOf(fileIn('windows-1254', 'Gömlek, yeşil 12 kısa'));
  expect(check.guess?.words).toEqual([
    { before: 'G\ufffdmlek', after: 'Gömlek' },
    { before: 'ye\ufffdil', after: 'yeşil' },
    { before: 'k\ufffdsa', after: 'kısa' },
  ]);
  expect(check.guess?.others).toContainEqual({
    encoding: 'windows-1252',
    words: ['Gömlek', 'yeþil', 'kýsa'],
  });
});

test('letters that look wrong in every encoding are called doubtful', async () => {
  // `üÜ ößAÅÁıB` in code page 850, which is not among the encodings.
  const dos = Uint8Array.of(0x81, 0x9a, 0x20, 0x94, 0xe1, 0x41, 0x8f, 0xb5, 0xd5, 0x42, 0x0a);
  const check = await checkOf(new File(['SKC,Material\nA,', dos], 'dos.csv'));
  expect(check.guess).toMatchObject({ isDoubtful: true });
});

/** The letters of code pages 437 and 850 that both have at the same place. */
const DOS_LETTERS = new Map([
  ...Array.from('ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ').map((letter, i) => [letter, 0x80 + i] as const),
  ...Array.from('áíóúñÑ').map((letter, i) => [letter, 0xa0 + i] as const),
  ['ß', 0xe1] as const,
]);
const inDosCodePage = (text: string) =>
  Uint8Array.from(text, (char) => DOS_LETTERS.get(char) ?? char.charCodeAt(0));

test.each([
  'dünn',
  'Kleid für Mädchen, grün, blau',
  'Été léger, crème, façonné, à bretelles, tissé',
  'Algodón, niño, pantalón, años, cinturón, señora',
])('text of an old DOS program is asked about, not taken for Japanese: %s', async (text) => {
  const check = await checkOf(new File([inDosCodePage(`SKC,Material\nA,"${text}"\n`)], 'dos.csv'));
  expect(check.guess).toMatchObject({ isDoubtful: true });
  expect(doubtsAbout(check, { isStrict: false, isRange: false })).toContainEqual(
    expect.stringMatching(/^Some letters look wrong/),
  );
});

test('Japanese between Latin letters is read as Shift JIS', async () => {
  const text = 'Tシャツ、Vネック、Lサイズ、UVカット、靴';
  const check = await checkOf(fileIn('shift_jis', text));
  expect(check).toMatchObject({ encoding: 'shift_jis', guess: { isDoubtful: false } });
});

test('what the file shows or the user has chosen is not called a guess', async () => {
  expect((await checkOf(new File(['SKC,Material\nA,größer\n'], 'u.csv'))).guess).toBeNull();
  const file = fileIn('windows-1253', 'μαύρο');
  const check = await checkOf(file, { encoding: 'windows-1252' });
  expect(check).toMatchObject({ encoding: 'windows-1252', guess: null });
});

test('every encoding but UTF-16 reads a file of ASCII', async () => {
  for (const encoding of ENCODINGS.filter((name) => !name.startsWith('utf-16'))) {
    const check = await checkOf(new File(['SKC\nA\n'], 'a.csv'), { encoding });
    expect(check.rows, encoding).toBe(1);
  }
});
