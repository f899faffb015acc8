/**
 * The collection, by hand, a style a line: which dyes it comes in, what the card calls it
 * (Category 1), for whom (Category 2; `Both` is cut for women and for men in turn), where it
 * hangs (Category 3), what it is made of, its price in whole dollars and its run of sizes.
 */
import { DYES, type DyeName } from './draw/dyes.ts';
import { STYLES, type StyleName } from './draw/styles.ts';

const TABLE = `
tee-plain         | ecru indigo madder moss | Tee              | Both        | Tops      | Organic cotton jersey    | 100% organic cotton, 180 g jersey              | 38  | S-XL
tee-pocket        | oat woad walnut         | Tee              | Men         | Tops      | Organic cotton jersey    | 100% organic cotton, 220 g jersey              | 44  | S-XL
tee-vee           | weld iron ecru          | Tee              | Women       | Tops      | Organic cotton jersey    | 100% organic cotton, 160 g jersey              | 38  | XS-L
tee-waffle        | moss ecru iron          | Tee              | Men         | Tops      | Waffle cotton            | 100% cotton, 260 g waffle                      | 58  | S-XL
tee-tank          | woad madder ecru        | Tee              | Women       | Tops      | Ribbed organic cotton    | 96% organic cotton, 4% elastane                | 34  | XS-L
breton-long       | indigo madder iron      | Breton top       | Women       | Tops      | Heavy cotton jersey      | 100% cotton, 280 g jersey                      | 62  | XS-L
breton-short      | moss indigo             | Breton top       | Both        | Tops      | Heavy cotton jersey      | 100% cotton, 240 g jersey                      | 52  | S-XL
shirt-oxford      | ecru woad moss          | Oxford shirt     | Men         | Tops      | Cotton oxford            | 100% cotton, 150 g oxford                      | 98  | S-XL
shirt-stripe      | indigo madder walnut    | Oxford shirt     | Both        | Tops      | Striped cotton           | 100% cotton, yarn-dyed stripe                  | 104 | S-XL
shirt-tattersall  | moss walnut             | Oxford shirt     | Men         | Tops      | Brushed cotton           | 100% cotton, brushed on both sides             | 108 | S-XL
shirt-check       | madder moss indigo      | Flannel shirt    | Men         | Tops      | Cotton flannel           | 100% cotton, 210 g flannel                     | 112 | S-XL
shirt-plaid       | walnut iron             | Flannel shirt    | Women       | Tops      | Wool and cotton flannel  | 60% cotton, 40% wool                           | 124 | XS-L
shirt-camp        | weld ecru madder        | Linen shirt      | Men         | Tops      | Washed linen             | 100% linen, 160 g                              | 92  | S-XL
shirt-gingham     | indigo                  | Linen shirt      | Women       | Tops      | Linen gingham            | 100% linen, yarn-dyed check                    | 92  | XS-L
shirt-grandad     | ecru woad walnut        | Linen shirt      | Both        | Tops      | Washed linen             | 100% linen, 185 g                              | 96  | S-XL
jumper-crew       | moss madder ecru        | Jumper           | Both        | Knitwear  | Lambswool                | 100% lambswool, two-ply                        | 128 | S-XL
jumper-donegal    | oat iron                | Jumper           | Men         | Knitwear  | Donegal wool             | 92% wool, 8% flecked viscose                   | 148 | S-XL
jumper-seed       | weld woad               | Jumper           | Women       | Knitwear  | Merino, moss stitch      | 100% merino wool                               | 136 | XS-L
jumper-loopback   | ash indigo              | Jumper           | Both        | Tops      | Organic loopback cotton  | 100% organic cotton, 400 g loopback            | 84  | S-XL
jumper-roll       | ash walnut indigo       | Jumper           | Women       | Knitwear  | Lambswool and cashmere   | 90% lambswool, 10% cashmere                    | 158 | XS-L
jumper-vest       | oat moss                | Jumper           | Both        | Knitwear  | Cabled wool              | 100% wool, four-ply                            | 98  | S-XL
fisherman-cable   | ecru indigo madder      | Fisherman jumper | Both        | Knitwear  | Cabled wool              | 100% wool, spun with its lanolin               | 198 | S-XL
fisherman-rib     | walnut moss             | Fisherman jumper | Men         | Knitwear  | Ribbed wool              | 100% wool, full-cardigan rib                   | 186 | S-XL
cardigan-vee      | walnut iron             | Cardigan         | Men         | Knitwear  | Lambswool, moss stitch   | 100% lambswool, horn buttons                   | 168 | S-XL
cardigan-crew     | madder oat woad         | Cardigan         | Women       | Knitwear  | Merino                   | 100% merino wool, shell buttons                | 142 | XS-L
coat-long         | iron walnut             | Coat             | Men         | Outerwear | Wool melton              | 80% wool, 20% polyamide, cotton lining         | 420 | S-XL
coat-herringbone  | ash indigo              | Coat             | Women       | Outerwear | Wool herringbone         | 100% wool, viscose lining                      | 445 | XS-L
coat-pea          | indigo moss             | Coat             | Men         | Outerwear | Wool melton              | 80% wool, 20% polyamide, 780 g melton          | 360 | S-XL
coat-duffle       | oat indigo madder       | Coat             | Both        | Outerwear | Double-faced wool        | 100% wool, horn toggles                        | 395 | S-XL
coat-mac          | moss oat iron           | Coat             | Both        | Outerwear | Proofed cotton           | 100% cotton, waxed and proofed                 | 310 | S-XL
chore-twill       | indigo ecru moss        | Chore jacket     | Men         | Outerwear | Cotton twill             | 100% cotton, 340 g twill                       | 165 | S-XL
chore-cord        | walnut weld             | Chore jacket     | Both        | Outerwear | Eight-wale corduroy      | 100% cotton, 380 g corduroy                    | 178 | S-XL
chore-canvas      | oat iron                | Chore jacket     | Women       | Outerwear | Cotton canvas            | 100% cotton, 380 g canvas                      | 168 | XS-L
jacket-denim      | indigo iron ecru        | Denim jacket     | Both        | Denim     | Selvedge denim           | 100% cotton, 13 oz selvedge denim              | 185 | S-XL
jacket-liner      | moss oat madder indigo  | Liner jacket     | Women       | Outerwear | Quilted cotton           | 100% organic cotton, wool filling              | 148 | XS-L
dress-shirt       | weld indigo madder      | Day dress        | Women       | Dresses   | Organic cotton poplin    | 100% organic cotton, 120 g poplin              | 145 | XS-L
dress-stripe      | woad                    | Day dress        | Women       | Dresses   | Striped cotton           | 100% cotton, yarn-dyed stripe                  | 145 | XS-L
dress-gingham     | madder moss             | Day dress        | Women       | Dresses   | Cotton gingham           | 100% cotton, yarn-dyed check                   | 158 | XS-L
dress-smock       | ecru iron               | Day dress        | Women       | Dresses   | Washed linen             | 100% linen, 185 g                              | 168 | XS-L
dress-slip        | moss oat iron           | Day dress        | Women       | Dresses   | Cupro satin              | 100% cupro, cut on the bias                    | 138 | XS-L
pinafore-canvas   | indigo walnut           | Pinafore         | Women       | Dresses   | Cotton canvas            | 100% cotton, 320 g canvas                      | 152 | XS-L
pinafore-cord     | madder weld             | Pinafore         | Women       | Dresses   | Needlecord               | 98% cotton, 2% elastane                        | 156 | XS-L
skirt-button      | madder moss             | Skirt            | Women       | Bottoms   | Needlecord               | 100% cotton, 280 g needlecord                  | 118 | XS-L
skirt-linen       | oat                     | Skirt            | Women       | Bottoms   | Washed linen             | 100% linen, 210 g                              | 114 | XS-L
skirt-pleat       | walnut indigo           | Skirt            | Women       | Bottoms   | Wool tartan              | 100% wool, pressed pleats                      | 142 | XS-L
skirt-flannel     | ash                     | Skirt            | Women       | Bottoms   | Wool herringbone         | 100% wool, cotton lining                       | 148 | XS-L
skirt-wrap        | woad iron               | Skirt            | Women       | Bottoms   | Linen and cotton         | 55% linen, 45% cotton                          | 108 | XS-L
skirt-denim       | indigo iron             | Skirt            | Women       | Denim     | Stretch denim            | 99% cotton, 1% elastane, 12 oz denim           | 88  | XS-L
skirt-mini        | weld walnut             | Skirt            | Women       | Bottoms   | Eight-wale corduroy      | 100% cotton, 380 g corduroy                    | 88  | XS-L
trousers-wide     | oat indigo madder       | Wide trousers    | Women       | Bottoms   | Cotton twill             | 100% cotton, 290 g twill                       | 132 | XS-L
trousers-flannel  | ash walnut              | Wide trousers    | Both        | Bottoms   | Wool herringbone         | 100% wool, half lined                          | 168 | S-XL
trousers-easy     | ecru woad walnut        | Wide trousers    | Both        | Bottoms   | Washed linen             | 100% linen, 210 g                              | 112 | S-XL
trousers-slim     | moss iron oat           | Slim trousers    | Men         | Bottoms   | Cotton twill             | 98% cotton, 2% elastane                        | 118 | waist
trousers-cord     | walnut weld             | Slim trousers    | Men         | Bottoms   | Eight-wale corduroy      | 100% cotton, 380 g corduroy                    | 128 | waist
jeans-straight    | indigo iron             | Selvedge jeans   | Men         | Denim     | Selvedge denim           | 100% cotton, 14 oz selvedge denim              | 178 | waist
jeans-slim        | indigo iron             | Selvedge jeans   | Both        | Denim     | Selvedge denim           | 99% cotton, 1% elastane, 12 oz denim           | 168 | waist
jeans-wide        | ecru woad indigo        | Selvedge jeans   | Women       | Denim     | Selvedge denim           | 100% cotton, 13 oz selvedge denim              | 172 | waist
jeans-carpenter   | woad ecru               | Selvedge jeans   | Men         | Denim     | Selvedge denim           | 100% cotton, 14 oz denim, double knee          | 188 | waist
shorts-camp       | madder moss ecru        | Camp shorts      | Both        | Bottoms   | Linen and cotton         | 55% linen, 45% cotton                          | 72  | S-XL
shorts-pleat      | oat indigo              | Camp shorts      | Men         | Bottoms   | Cotton twill             | 100% cotton, 240 g twill                       | 84  | waist
socks-crew        | moss madder ash indigo  | Socks            | Accessories | Knitwear  | Merino                   | 70% merino wool, 28% polyamide, 2% elastane    | 22  | sock
socks-ankle       | weld woad iron          | Socks            | Accessories | Knitwear  | Organic cotton           | 80% organic cotton, 18% polyamide, 2% elastane | 16  | sock
cap-canvas        | indigo oat              | Cap              | Accessories |           | Cotton canvas            | 100% cotton, brass buckle                      | 38  | one
cap-cord          | walnut                  | Cap              | Accessories |           | Eight-wale corduroy      | 100% cotton, brass buckle                      | 42  | one
cap-bucket        | moss ecru               | Cap              | Accessories |           | Organic cotton canvas    | 100% organic cotton, 300 g canvas              | 46  | hat
cap-watch         | weld iron madder        | Cap              | Accessories | Knitwear  | Ribbed merino            | 100% merino wool                               | 36  | one
bag-tote          | ecru indigo             | Canvas bag       | Accessories |           | Organic cotton canvas    | 100% organic cotton, 16 oz canvas              | 48  | one
bag-boat          | ecru madder moss        | Canvas bag       | Accessories |           | Cotton canvas            | 100% cotton, 24 oz canvas                      | 96  | one
bag-rucksack      | moss iron               | Canvas bag       | Accessories |           | Waxed canvas             | 100% cotton, bridle leather strap              | 165 | one
scarf-plaid       | walnut moss indigo      | Scarf            | Accessories | Knitwear  | Lambswool                | 100% lambswool, 190 by 35 cm                   | 78  | one
scarf-herringbone | oat woad                | Scarf            | Accessories | Knitwear  | Merino herringbone       | 100% merino wool, 200 by 40 cm                 | 86  | one
scarf-rib         | madder ash              | Scarf            | Accessories | Knitwear  | Ribbed lambswool         | 100% lambswool, 180 by 24 cm                   | 68  | one
boots-lace        | walnut iron             | Leather boots    | Accessories |           | Vegetable-tanned leather | Leather upper and welt, rubber sole            | 285 | shoe
boots-chelsea     | iron oat walnut         | Leather boots    | Accessories |           | Vegetable-tanned leather | Leather upper, elastic gusset, crepe sole      | 260 | shoe
`;

const RUNS = {
  'XS-L': ['S', 'M', 'XS', 'L'],
  'S-XL': ['M', 'L', 'S', 'XL'],
  waist: ['32', '30', '34', '28', '36'],
  shoe: ['42', '39', '41', '38', '43'],
  sock: ['39-41', '42-44', '36-38'],
  hat: ['M', 'L'],
  one: ['One size'],
} as const;

export interface Garment {
  readonly style: StyleName;
  readonly dyes: readonly DyeName[];
  readonly kind: string;
  readonly department: string;
  readonly use: string;
  readonly material: string;
  readonly composition: string;
  readonly price: number;
  /** The middle of the run first: that is what a shop has most of. */
  readonly sizes: readonly string[];
}

/** Names from the table, checked against what can be drawn; a slip of the pen stops the script. */
function known<Name extends string>(names: Readonly<Record<Name, unknown>>, text: string): Name {
  if (!Object.hasOwn(names, text)) throw new Error(`The garment table says "${text}".`);
  return text as Name;
}

function garmentOf(line: string): Garment {
  const cells = line.split('|').map((cell) => cell.trim());
  const [style = '', dyes = '', kind = '', department = '', use = ''] = cells;
  const [material = '', composition = '', price = '', run = ''] = cells.slice(5);
  return {
    style: known(STYLES, style),
    dyes: dyes.split(' ').map((dye) => known(DYES, dye)),
    kind,
    department,
    use,
    material,
    composition,
    price: Number(price),
    sizes: RUNS[known(RUNS, run)],
  };
}

export const GARMENTS: readonly Garment[] = TABLE.trim().split('\n').map(garmentOf);
