/** The faces that the build cuts out of the whole fonts. */
import { describe, expect, test } from 'vitest';
import { subsetFace, FACES, FACE_CHARACTERS } from '../../netlify/build/faces.ts';

/** Names as people and places write them, one or more of each language of Europe with Latin letters. */
const NAMES = {
  Albanian: 'Çlirim Gjergjëvi',
  Basque: 'Iñaki',
  Bosnian: 'Đenana Hadžić',
  Catalan: 'Lluís Castellà i Muñoz',
  Croatian: 'Šime Živković, Đakovo',
  Czech: 'Jiří Dvořák, Něčín, Plzeň, Růžďka, Ťapák',
  Danish: 'Søren Kjærgård',
  Dutch: 'Zoë van IJsselstein',
  English: 'Chloë O’Hara',
  Estonian: 'Jüri Põld, Žanna, Šerif',
  Faroese: 'Høgni Ðal',
  Finnish: 'Väinö Åström',
  French: 'Françoise Lœuillet, Aÿ, Île-de-Ré, Noël, Ænon, À, Où, Ô, Û',
  German: 'Jörg Weiß, GROẞ, Übel, Ärmel',
  Hungarian: 'Győző Fűrész, Áron, Őri, Üllő',
  Icelandic: 'Þórður Ægisson, Ýr',
  Irish: 'Seán Ó hÉigeartaigh, Úna',
  Italian: 'Nicolò D’Aosta, Forlì',
  Latvian: 'Jānis Bērziņš, Ģirts Ķēniņš, Ļena, Ūdris, Čaks, Īle, Ņina',
  Lithuanian: 'Žydrūnė Šimkutė, Gražvydas Čėsna, Ąžuolas Įdas Ųgis, Ęlė',
  Maltese: 'Ġorġ Ħalq, Żurrieq, Ċensu',
  Norwegian: 'Bjørn Ås',
  Polish: 'Łukasz Źrebięć, Świętosława Żółć, Ewa Ńska',
  Portuguese: 'João Conceição, Inês, Antónia',
  Romanian: 'Ștefan Țurcanu, Ămăriei, Brâncuși, Înăscu',
  Sami: 'Áilu Ŋoaivi Čeŧŋi',
  Slovak: 'Ľudovít Štúr, Ĺubica, Kŕč, Ďurčo, Ňaňo, Ôsmy, vŕba',
  Slovene: 'Žiga Čuček',
  Spanish: 'Begoña Núñez, Íñigo, ¿Qué?, ¡Sí!',
  Swedish: 'Åsa Öberg',
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
