/**
 * The headings by which columns are recognised, as shops, suppliers and shop systems write them in
 * English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Turkish and Chinese, and a few words of
 * Russian, Japanese, Czech, Hungarian and the Nordic languages. A heading
 * must equal an alias, because `Category 1` and `Category 2` differ in only one character.
 *
 * Colours have no alias, because the shop has no column for them. A sale price is not the retail price, and
 * Shopify's handle names all sizes of a garment, so neither has an alias. The user can still assign such
 * columns.
 */
import { IMPORT_COLUMNS, type ImportColumn } from './columns.ts';

interface Aliases {
  /** Separated by a comma and a space. */
  readonly sure: string;
  /** Count only in a file without a sure heading: a style number beside a SKU is no stock code. */
  readonly likely?: string;
}

const ALIASES: Readonly<Record<ImportColumn, Aliases>> = {
  SKC: {
    sure:
      'Stock code, Stock keeping code, Product code SKU, UGS, Артикул, 品番, 商品コード, Varenummer, Varenr, Artikkelnummer, ' +
      'Kód produktu, Cikkszám, SKC code, SKC no, SKC number, SKU, SKU code, SKU no, SKU number, ' +
      'Product SKU, Variant SKU, Seller SKU, Item SKU, Item code, Item number, Item no, Article code, ' +
      'Article number, Article no, Art no, Product code, Product number, Product no, ' +
      'Artikelnummer, Artikel-Nr, Art-Nr, Artikelcode, Produktnummer, Bestellnummer, Bestell-Nr, ' +
      'Code article, Code produit, Référence article, Référence produit, Réf article, ' +
      'Código de artículo, Código artículo, Código de producto, Código producto, Código SKU, ' +
      'Codice articolo, Codice prodotto, Cod articolo, Cod art, Numero articolo, ' +
      'Código do artigo, Código do produto, Cód produto, Productcode, Productnummer, ' +
      'Kod produktu, Kod towaru, Kod artykułu, Numer artykułu, Nr artykułu, ' +
      'Stok kodu, Ürün kodu, Ürün no, 货号, 商品货号, 商品编码, 商品编号, 产品编码, 产品编号, 商家编码',
    likely:
      'Style no, Style code, Style number, Article ID, Item ID, Variation ID, Variant ID, Product ID, MPN, ' +
      'Internal reference, Reference, Reference no, ' +
      'Reference number, Ref, Ref no, Custom label, Custom label SKU, Modellnummer, Référence, ' +
      'Referencia, Código, Riferimento, Rif, Codice, Referência, Referentie, Symbol, Indeks, ' +
      'Numer katalogowy, Model kodu, Referans, 款号',
  },
  Size: {
    sure: 'Product size, Size name, Размер, サイズ, Størrelse, Storlek, Velikost, Méret, Größe, Groesse, Taille, Talla, Taglia, Tamanho, Maat, Rozmiar, Beden, 尺码, 尺寸',
    likely:
      'Sizes, EU size, Size EU, Größen, EU-Größe, Konfektionsgröße, Tailles, Pointure, Tallas, Taglie, ' +
      'Tamanhos, Maten, Rozmiary, Bedenler',
  },
  'Images link': {
    sure:
      'Изображение, Изображения, 画像, Billede, Bilde, Obrázek, Kép, ' +
      'Image, Images, Image link, Image links, Image URL, Image URLs, Images URL, Image Src, ' +
      'Main image, Photo, Photos, Photo link, Photo URL, Picture, Pictures, Picture link, ' +
      'Picture URL, Bild, Bilder, Bildlink, Bild-URL, Foto, Fotos, URL image, Lien image, Lien photo, ' +
      'Imagen, Imágenes, URL de imagen, URL imagen, Enlace de imagen, Immagine, Immagini, ' +
      'URL immagine, Link immagine, Imagem, Imagens, URL da imagem, Link da imagem, Afbeelding, ' +
      'Afbeeldingen, Afbeelding URL, Zdjęcie, Zdjęcia, Link do zdjęcia, URL zdjęcia, Resim, ' +
      'Resim URL, Resim linki, Görsel, Görsel URL, Görsel linki, 图片, 图片链接, 图片地址, 主图, 商品图片',
    likely:
      'Image 1, Image URL 1, Image link 1, Main image URL, Main image link, Foto 1, Product image, ' +
      'Product images, Product image URL, Photo 1, Picture 1, Bild 1, Hauptbild, Image principale, ' +
      'Imagen 1, Imagen principal, Immagine 1, Immagine principale, Imagem 1, Imagem principal, ' +
      'Afbeelding 1, Hoofdafbeelding, Zdjęcie 1, Zdjęcie główne, Resim 1, Görsel 1, 图片1, 主图链接',
  },
  'Category 1': {
    sure:
      'Категория, Категории, カテゴリ, Kategória, ' +
      'Category, Categories, Cat, Cat 1, Product category, Product categories, ' +
      'Kategorie, Kategorien, Kategorie 1, Catégorie, Catégories, ' +
      'Catégorie 1, Categoría, Categorías, Categoría 1, Categoria, Categorie, Categorieën, ' +
      'Kategoria, Kategoria 1, Kategori, Kategori 1, 类别, 分类, 类目, 品类, 商品分类, 商品类别, 一级分类',
  },
  'Category 2': {
    sure:
      'Cat 2, Kategorie 2, Catégorie 2, Categoría 2, Categorie 2, Kategoria 2, Kategori 2, Subcategory, ' +
      'Sub-categories, Unterkategorie, Sous-catégorie, Subcategoría, Sottocategoria, ' +
      'Subcategorie, Podkategoria, Alt kategori, 二级分类, 子类别',
  },
  'Category 3': {
    sure: 'Cat 3, Kategorie 3, Catégorie 3, Categoría 3, Categorie 3, Kategoria 3, Kategori 3, 三级分类',
  },
  'Category 4': {
    sure: 'Cat 4, Kategorie 4, Catégorie 4, Categoría 4, Categorie 4, Kategoria 4, Kategori 4, 四级分类',
  },
  'Retail Price': {
    sure:
      'Цена, Базовая цена, 価格, Pris, Ár, Regulärer Preis, Tarif régulier, Precio normal, Reguliere prijs, ' +
      'Cena regularna, Retail, Price in USD, Original price, Price, Price USD, Retail price USD, RRP, MSRP, MRP, List price, Regular price, Selling price, ' +
      'Variant price, Price incl VAT, Price inc VAT, Price including VAT, Price incl tax, Preis, ' +
      'Verkaufspreis, VK-Preis, UVP, Listenpreis, Bruttopreis, Preis inkl MwSt, Prix, Prix de vente, ' +
      'Prix public, Prix TTC, Precio, Precio de venta, PVP, Precio con IVA, Precio IVA incluido, ' +
      'Prezzo, Prezzo di vendita, Prezzo al pubblico, Prezzo di listino, Prezzo IVA inclusa, Preço, ' +
      'Preço de venda, Preço com IVA, Prijs, Verkoopprijs, Adviesprijs, Prijs incl btw, Cena, ' +
      'Cena brutto, Cena detaliczna, Cena sprzedaży, Fiyat, Satış fiyatı, Liste fiyatı, ' +
      'KDV dahil fiyat, 价格, 零售价, 售价, 销售价, 吊牌价',
  },
  Material: {
    sure:
      'Материал, 素材, Materiál, Anyag, ' +
      'Materials, Materialien, Matière, Matières, Materiales, Materiale, Materiali, Materiais, ' +
      'Materiaal, Materiał, Materiały, Malzeme, 材质, 材料',
  },
  'Fabric Composition': {
    sure:
      'Composition, Fabric, Fabrics, Fabric content, Fibre content, Fiber content, ' +
      'Fibre composition, Fiber composition, Material composition, Zusammensetzung, ' +
      'Materialzusammensetzung, Composición, Composizione, Composição, Samenstelling, Skład, ' +
      'Skład materiałowy, Kumaş, Kumaş içeriği, 成分, 面料, 面料成分',
  },
};

/**
 * Headings of categories without a number, a group of aliases each. They fill the category fields that are
 * still free, in the order of the groups.
 */
const UNNUMBERED_CATEGORIES = [
  'Product type, Produkttyp, Produktart, Type de produit, Tipo de producto, Tipo di prodotto, ' +
    'Tipo de produto, Producttype, Typ produktu, Ürün tipi, 商品类型',
  'Department, Abteilung, Rayon, Departamento, Reparto, Afdeling, Dział, Reyon, 部门',
  'Gender, Geschlecht, Genre, Género, Genere, Geslacht, Płeć, Cinsiyet, 性别',
];

/**
 * What a heading means: a column, where `rank` is 0 for a sure alias and 1 for a likely one; or the category
 * at the index `unnumbered` of `UNNUMBERED_CATEGORIES`.
 */
export type Meaning =
  | { readonly column: ImportColumn; readonly rank: number }
  | { readonly column: null; readonly unnumbered: number };

/** By normalised heading. */
const MEANINGS = new Map<string, Meaning>(
  IMPORT_COLUMNS.flatMap((column) => {
    const { sure, likely } = ALIASES[column];
    return [
      ...namesIn(likely ?? '').map((name) => [name, { column, rank: 1 }] as const),
      ...namesIn(`${column}, ${sure}`).map((name) => [name, { column, rank: 0 }] as const),
    ];
  }),
);
const UNNUMBERED = new Map<string, Meaning>(
  UNNUMBERED_CATEGORIES.flatMap((names, unnumbered) =>
    namesIn(names).map((name) => [name, { column: null, unnumbered }] as const),
  ),
);

/**
 * What a heading of a file means, or null. Case, spaces, punctuation and accents do not matter; every
 * letter and digit does.
 */
export function meaningOf(heading: string): Meaning | null {
  if (heading.length > 100) return null; // longer than any alias
  const bare = heading.replace(/\([^()]*\)|\[[^[\]]*\]/g, '');
  // Brackets often hold a unit or a note: `Price (CAD)`, `SKU (required)`.
  for (const name of [normaliseHeading(heading), normaliseHeading(bare)]) {
    const meaning = MEANINGS.get(name) ?? UNNUMBERED.get(name);
    if (meaning) return meaning;
  }
  return null;
}

/** The column of which a heading is an alias, or null. */
export function columnOf(heading: string): ImportColumn | null {
  return meaningOf(heading)?.column ?? null;
}

/** Whether a heading is that of a column with the currencies of the prices. */
export function isCurrencyHeading(heading: string): boolean {
  const name = normaliseHeading(heading);
  return /^(?:price)?(?:currency(?:code)?|wahrung|devise|moneda|valuta|moeda|waluta|parabirimi)$/.test(
    name,
  );
}

/** Whether a heading is that of the column with Shopify's handles. */
export function isHandle(heading: string): boolean {
  return /^(url)?handle$/.test(normaliseHeading(heading));
}

/** Whether a heading is that of a column with a system's own numbers. */
export function isId(heading: string): boolean {
  return normaliseHeading(heading) === 'id';
}

/**
 * Normalises a heading for comparison: lower case, letters and digits only, no accents. `Nº`, `N°` and `#`
 * become `no`, but not the `#` of `#1`.
 */
export function normaliseHeading(heading: string): string {
  return heading
    .replace(/#(?!\s*\d)/g, 'no')
    .replaceAll('°', 'o')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The aliases in a list, normalised. */
function namesIn(list: string): string[] {
  return list.split(', ').filter(Boolean).map(normaliseHeading);
}
