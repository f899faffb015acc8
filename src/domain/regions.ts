/** Regions that a parcel can be sent to, by their two letters, and other ways in which people write them. */

/**
 * The two letters of a region that somebody has written by its letters, its name or another way, with or
 * without accents, dots and dashes; null for none.
 */
export function regionCode(regions: Readonly<Record<string, string>>, text: string): string | null {
  const key = lettersIn(text);
  if (key === '') return null;
  const found = Object.entries(regions).find(
    ([code, name]) =>
      [code, name].some((known) => lettersIn(known) === key) ||
      (OTHER_WAYS[code] ?? '').split('|').some((known) => lettersIn(known) === key),
  );
  return found?.[0] ?? null;
}

/** The letters of a text, without accents: `P.E.I.` and `pei` are the same. */
function lettersIn(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}

/** With the District of Columbia, territories and military mail. Source: USPS Publication 28, B. */
export const US_STATES: Readonly<Record<string, string>> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AS: 'American Samoa',
  AZ: 'Arizona',
  AR: 'Arkansas',
  AA: 'Armed Forces Americas',
  AE: 'Armed Forces Europe',
  AP: 'Armed Forces Pacific',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FM: 'Federated States of Micronesia',
  FL: 'Florida',
  GA: 'Georgia',
  GU: 'Guam',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MH: 'Marshall Islands',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  MP: 'Northern Mariana Islands',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PW: 'Palau',
  PA: 'Pennsylvania',
  PR: 'Puerto Rico',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VI: 'U.S. Virgin Islands',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
};

/** Source: Canada Post, "Addressing guidelines". */
export const CA_PROVINCES: Readonly<Record<string, string>> = {
  AB: 'Alberta',
  BC: 'British Columbia',
  MB: 'Manitoba',
  NB: 'New Brunswick',
  NL: 'Newfoundland and Labrador',
  NT: 'Northwest Territories',
  NS: 'Nova Scotia',
  NU: 'Nunavut',
  ON: 'Ontario',
  PE: 'Prince Edward Island',
  QC: 'Quebec',
  SK: 'Saskatchewan',
  YT: 'Yukon',
};

/**
 * Traditional abbreviations, former codes, French names, and cities that people write for their region. No two
 * regions of one country share one. Sources: USPS Publication 28, B; Canada Post, "Addressing guidelines"; Office
 * québécois de la langue française, "Liste des abréviations des provinces"; U.S. Government Publishing Office
 * Style Manual, 9.
 */
const OTHER_WAYS: Readonly<Record<string, string>> = {
  // United States
  AL: 'Ala',
  AZ: 'Ariz',
  AR: 'Ark',
  AA: 'Armed Forces the Americas|Armed Forces America|APO AA|FPO AA',
  AE: 'Armed Forces Africa|Armed Forces Canada|Armed Forces Middle East|APO AE|FPO AE',
  AP: 'APO AP|FPO AP',
  CA: 'Calif|Cal',
  CO: 'Colo',
  CT: 'Conn',
  DE: 'Del',
  DC: 'Washington DC|Washington District of Columbia|Dist of Columbia',
  FM: 'Micronesia',
  FL: 'Fla',
  IL: 'Ill',
  IN: 'Ind',
  KS: 'Kans|Kan',
  MA: 'Mass',
  MI: 'Mich',
  MN: 'Minn',
  MS: 'Miss',
  MP: 'CNMI|Northern Marianas|Commonwealth of the Northern Mariana Islands',
  MT: 'Mont',
  NE: 'Nebr|Neb',
  NV: 'Nev',
  NM: 'N Mex|New Mex',
  NC: 'N Car',
  ND: 'N Dak|No Dak',
  OK: 'Okla',
  OR: 'Oreg|Ore',
  PA: 'Penn|Penna',
  PR: 'Porto Rico',
  SC: 'S Car',
  SD: 'S Dak|So Dak',
  TN: 'Tenn',
  TX: 'Tex',
  VI: 'Virgin Islands|US Virgin Is|USVI',
  WA: 'Wash|Washington State|State of Washington',
  WV: 'W Va|W Virginia',
  WI: 'Wis|Wisc',
  WY: 'Wyo',
  // Canada
  AB: 'Alta|Alb',
  BC: 'Colombie-Britannique|C.-B.|CB',
  MB: 'Man',
  NB: 'Nouveau-Brunswick|N.-B.',
  NL: 'Newfoundland|Newfoundland & Labrador|Labrador|Terre-Neuve-et-Labrador|Terre-Neuve|Nfld|Nfld & Lab|NF|T.-N.-L.|TNL',
  NT: 'Territoires du Nord-Ouest|NWT|N.W. Territories|T.N.-O.|TNO',
  NS: 'Nouvelle-Écosse|N.-É.|NE',
  NU: 'Nvt',
  ON: 'Ont',
  PE: 'Île-du-Prince-Édouard|PEI|Î.-P.-É.|IPE|Prince Edward Is',
  QC: 'Québec|Province de Québec|Province of Quebec|Que|PQ',
  SK: 'Sask',
  YT: 'Yukon Territory|Territoire du Yukon|Yuk|YK',
};
