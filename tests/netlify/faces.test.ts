/** The faces that the build cuts out of the whole fonts. */
import { describe, expect, test } from 'vitest';
import { subsetFace, FACES, FACE_CHARACTERS } from '../../netlify/build/faces.ts';

/** Names as people and places write them, in the languages whose letters stand at the ends of the ranges. */
const NAMES = {
  Czech: 'Jiří Dvořák, Něčín, Plzeň, Růžďka, Ťapák',
  French: 'Françoise Lœuillet, Aÿ, Île-de-Ré, Noël, Ænon, À, Où, Ô, Û',
  German: 'Jörg Weiß, GROẞ, Übel, Ärmel',
  Hungarian: 'Győző Fűrész, Áron, Őri, Üllő',
  Icelandic: 'Þórður Ægisson, Ýr',
  Latvian: 'Jānis Bērziņš, Ģirts Ķēniņš, Ļena, Ūdris, Čaks, Īle, Ņina',
  Maltese: 'Ġorġ Ħalq, Żurrieq, Ċensu',
  Polish: 'Łukasz Źrebięć, Świętosława Żółć, Ewa Ńska',
  Romanian: 'Ștefan Țurcanu, Ămăriei, Brâncuși, Înăscu',
  Sami: 'Áilu Ŋoaivi Čeŧŋi',
  Slovak: 'Ľudovít Štúr, Ĺubica, Kŕč, Ďurčo, Ňaňo, Ôsmy, vŕba',
  Turkish: 'Gökçe Şığın, İpek Çağlı',
  Welsh: 'Siôn Ŵyn, Llŷr, Ŷs',
};

test.each(Object.entries(NAMES))('the faces have all letters of %s names', (_language, names) => {
  expect(Array.from(names).filter((letter) => !FACE_CHARACTERS.includes(letter))).toEqual([]);
});

describe.each(Object.entries(FACES))('%s', (name, font) => {
  test('weighs at most 13 kB, and is the same each time that it is cut', async () => {
    const face = await subsetFace(font);
    expect(face.subarray(0, 4).toString(), 'the mark of a woff2').toBe('wOF2');
    expect(face.length, name).toBeLessThanOrEqual(13_000);
    expect(face.equals(await subsetFace(font))).toBe(true);
  });
});
