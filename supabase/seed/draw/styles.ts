/**
 * Every style the shop makes: which silhouette, in which cloth. The dye is the catalogue's
 * business, so a picture is a style and a dye: `tee-plain-indigo.svg`.
 */
import { boat, rucksack, tote } from './bags.ts';
import { chelseaBoots, laceBoots } from './boots.ts';
import { duffle, mac, overcoat, peacoat } from './coats.ts';
import { pinafore, shirtDress, slip, smock } from './dresses.ts';
import type { FabricName } from './fabrics.ts';
import { bucket, sixPanel, watchCap } from './hats.ts';
import { chore, liner, trucker } from './jackets.ts';
import { carpenter, slimJeans, straight, wideJeans } from './jeans.ts';
import {
  crewCardigan,
  crewJumper,
  fisherman,
  rollNeck,
  sweatshirt,
  veeCardigan,
  vest,
} from './knits.ts';
import { folded, hung } from './scarves.ts';
import type { Sheet } from './sheet.ts';
import { buttonDown, camp, grandad, workShirt } from './shirts.ts';
import { buttoned, mini, pleated, wrap } from './skirts.ts';
import { ankleSocks, crewSocks } from './socks.ts';
import * as tees from './tees.ts';
import { campShorts, easy, pleatShorts, slim, wide } from './trousers.ts';

export interface Style {
  readonly draw: (sheet: Sheet) => void;
  readonly fabric: FabricName;
}

export const STYLES = {
  'tee-plain': { draw: tees.crew, fabric: 'jersey' },
  'tee-pocket': { draw: tees.pocket, fabric: 'jersey' },
  'tee-vee': { draw: tees.vee, fabric: 'jersey' },
  'tee-waffle': { draw: tees.longSleeve, fabric: 'waffle' },
  'tee-tank': { draw: tees.tank, fabric: 'rib' },
  'breton-long': { draw: tees.boat, fabric: 'breton' },
  'breton-short': { draw: tees.boatShort, fabric: 'breton' },
  'shirt-oxford': { draw: buttonDown, fabric: 'oxford' },
  'shirt-stripe': { draw: buttonDown, fabric: 'stripe' },
  'shirt-tattersall': { draw: buttonDown, fabric: 'tattersall' },
  'shirt-check': { draw: workShirt, fabric: 'check' },
  'shirt-plaid': { draw: workShirt, fabric: 'plaid' },
  'shirt-camp': { draw: camp, fabric: 'linen' },
  'shirt-gingham': { draw: camp, fabric: 'gingham' },
  'shirt-grandad': { draw: grandad, fabric: 'linen' },
  'jumper-crew': { draw: crewJumper, fabric: 'stocking' },
  'jumper-donegal': { draw: crewJumper, fabric: 'donegal' },
  'jumper-seed': { draw: crewJumper, fabric: 'moss' },
  'jumper-loopback': { draw: sweatshirt, fabric: 'terry' },
  'jumper-roll': { draw: rollNeck, fabric: 'stocking' },
  'jumper-vest': { draw: vest, fabric: 'cable' },
  'fisherman-cable': { draw: fisherman, fabric: 'cable' },
  'fisherman-rib': { draw: fisherman, fabric: 'rib' },
  'cardigan-vee': { draw: veeCardigan, fabric: 'moss' },
  'cardigan-crew': { draw: crewCardigan, fabric: 'stocking' },
  'coat-long': { draw: overcoat, fabric: 'melton' },
  'coat-herringbone': { draw: overcoat, fabric: 'herringbone' },
  'coat-pea': { draw: peacoat, fabric: 'melton' },
  'coat-duffle': { draw: duffle, fabric: 'melton' },
  'coat-mac': { draw: mac, fabric: 'twill' },
  'chore-twill': { draw: chore, fabric: 'twill' },
  'chore-cord': { draw: chore, fabric: 'cord' },
  'chore-canvas': { draw: chore, fabric: 'canvas' },
  'jacket-denim': { draw: trucker, fabric: 'denim' },
  'jacket-liner': { draw: liner, fabric: 'quilt' },
  'dress-shirt': { draw: shirtDress, fabric: 'poplin' },
  'dress-stripe': { draw: shirtDress, fabric: 'stripe' },
  'dress-gingham': { draw: smock, fabric: 'gingham' },
  'dress-smock': { draw: smock, fabric: 'linen' },
  'dress-slip': { draw: slip, fabric: 'twill' },
  'pinafore-canvas': { draw: pinafore, fabric: 'canvas' },
  'pinafore-cord': { draw: pinafore, fabric: 'cord' },
  'skirt-button': { draw: buttoned, fabric: 'cord' },
  'skirt-linen': { draw: buttoned, fabric: 'linen' },
  'skirt-pleat': { draw: pleated, fabric: 'plaid' },
  'skirt-flannel': { draw: pleated, fabric: 'herringbone' },
  'skirt-wrap': { draw: wrap, fabric: 'linen' },
  'skirt-denim': { draw: mini, fabric: 'denim' },
  'skirt-mini': { draw: mini, fabric: 'cord' },
  'trousers-wide': { draw: wide, fabric: 'twill' },
  'trousers-flannel': { draw: wide, fabric: 'herringbone' },
  'trousers-slim': { draw: slim, fabric: 'twill' },
  'trousers-cord': { draw: slim, fabric: 'cord' },
  'trousers-easy': { draw: easy, fabric: 'linen' },
  'jeans-straight': { draw: straight, fabric: 'denim' },
  'jeans-slim': { draw: slimJeans, fabric: 'denim' },
  'jeans-wide': { draw: wideJeans, fabric: 'denim' },
  'jeans-carpenter': { draw: carpenter, fabric: 'denim' },
  'shorts-camp': { draw: campShorts, fabric: 'linen' },
  'shorts-pleat': { draw: pleatShorts, fabric: 'twill' },
  'socks-crew': { draw: crewSocks, fabric: 'stocking' },
  'socks-ankle': { draw: ankleSocks, fabric: 'rib' },
  'cap-canvas': { draw: sixPanel, fabric: 'canvas' },
  'cap-cord': { draw: sixPanel, fabric: 'cord' },
  'cap-bucket': { draw: bucket, fabric: 'canvas' },
  'cap-watch': { draw: watchCap, fabric: 'rib' },
  'bag-tote': { draw: tote, fabric: 'canvas' },
  'bag-boat': { draw: boat, fabric: 'canvas' },
  'bag-rucksack': { draw: rucksack, fabric: 'canvas' },
  'scarf-plaid': { draw: folded, fabric: 'plaid' },
  'scarf-herringbone': { draw: folded, fabric: 'herringbone' },
  'scarf-rib': { draw: hung, fabric: 'rib' },
  'boots-lace': { draw: laceBoots, fabric: 'leather' },
  'boots-chelsea': { draw: chelseaBoots, fabric: 'leather' },
} as const satisfies Record<string, Style>;

export type StyleName = keyof typeof STYLES;
