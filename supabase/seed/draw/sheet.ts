/**
 * One picture in the making. A garment lays its pieces from the back to the front (each in
 * cloth, under the light, with an edge) and marks them with seams, stitches and folds; the
 * sheet turns that into the smallest plain SVG it can: one path for all marks of a kind,
 * one pattern per direction of the cloth, one shadow for everything.
 */
import { DYES, mix, shadesOf, type Colour, type DyeName, type Shades } from './dyes.ts';
import { FABRICS, partnerOf, type FabricName } from './fabrics.ts';
import { BACKDROP, HEIGHT, LIGHTS, SHADOW, WIDTH, type Light } from './light.ts';
import { handOf, mirror, trace, type Hand } from './path.ts';

export interface Cloth {
  readonly fabric: FabricName;
  readonly dye: DyeName;
}

interface Finish {
  /** A fabric, or a plain colour. The garment's own cloth when not said. */
  readonly fill?: FabricName | Colour;
  /** The direction of the cloth, in degrees. */
  readonly turn?: number;
  readonly light?: Light | 'none';
  /** Whether it throws the shadow: not for what lies wholly inside another piece. */
  readonly shadow?: boolean;
}

/** Cloth with more undyed than dyed yarn: seams and lining are as pale as it looks. */
const OPEN: ReadonlySet<FabricName> = new Set(['stripe', 'tattersall', 'gingham']);

export class Sheet {
  readonly shades: Shades;
  readonly partner: Shades;
  readonly fabric: FabricName;
  readonly #yarn: Shades;
  readonly #hand: Hand;
  readonly #defs = new Map<string, string>();
  readonly #silhouette: string[] = [];
  readonly #body: string[] = [];
  /** Marks since the last piece, by how they look: one path each. */
  readonly #marks = new Map<string, string>();
  #pieces = 0;

  constructor(name: string, cloth: Cloth) {
    this.fabric = cloth.fabric;
    const { base } = DYES[cloth.dye];
    this.partner = partnerOf(base);
    this.#yarn = shadesOf(base);
    this.shades = OPEN.has(cloth.fabric) ? shadesOf(mix(this.partner.base, base, 0.4)) : this.#yarn;
    this.#hand = handOf(name);
  }

  #pattern(fabric: FabricName, turn: number): string {
    const id = `${fabric}${turn === 0 ? '' : turn}`.replace('-', 'm');
    const { width, height, tile, ground } = FABRICS[fabric](this.#yarn, this.partner) as {
      width: number;
      height: number;
      tile: string;
      ground?: string;
    };
    if (!this.#defs.has(fabric)) {
      this.#defs.set(
        fabric,
        `<pattern id="${fabric}" width="${width}" height="${height}" patternUnits="userSpaceOnUse">` +
          `<path fill="${ground ?? this.#yarn.base}" d="M0 0h${width}v${height}H0z"/>${tile}</pattern>`,
      );
    }
    if (turn !== 0 && !this.#defs.has(id)) {
      this.#defs.set(
        id,
        `<pattern id="${id}" href="#${fabric}" patternTransform="rotate(${turn})"/>`,
      );
    }
    return `url(#${id})`;
  }

  /** Lays one closed outline. */
  piece(d: string, finish: Finish = {}): void {
    this.#flush();
    const { fill = this.fabric, turn = 0, light = 'body', shadow = true } = finish;
    const id = (this.#pieces += 1).toString(36).replace(/^\d/, (digit) => `_${digit}`);
    const paint = fill.startsWith('#') ? fill : this.#pattern(fill as FabricName, turn);
    this.#defs.set(id, `<path id="${id}" d="${trace(d, this.#hand)}"/>`);
    if (shadow) this.#silhouette.push(id);
    this.#body.push(`<use href="#${id}" fill="${paint}"/>`);
    if (light === 'none') return;
    this.#defs.set(light, LIGHTS[light]);
    this.#body.push(`<use href="#${id}" fill="url(#${light})" stroke="none"/>`);
  }

  /** The inside of a garment, seen through its opening. */
  lining(d: string): void {
    this.piece(d, { fill: this.shades.inside, light: 'none' });
  }

  /** A piece sewn onto another: a pocket, a flap, a band. Cloth without a shadow on the table. */
  applied(d: string, finish: Finish = {}): void {
    this.piece(d, { light: 'none', shadow: false, ...finish });
  }

  /** Lays a piece and its mirror image, the cloth turned the other way. */
  pair(d: string, finish: Finish = {}): void {
    this.piece(mirror(d), { ...finish, turn: -(finish.turn ?? 0) });
    this.piece(d, finish);
  }

  #draw(look: string, d: string, digits = 1): void {
    this.#marks.set(look, (this.#marks.get(look) ?? '') + trace(d, this.#hand, digits));
  }

  #flush(): void {
    for (const [look, d] of this.#marks) this.#body.push(`<path ${look} d="${d}"/>`);
    this.#marks.clear();
  }

  /** A line of any colour: laces, drawcords, the red edge. */
  line(d: string, colour: string, width: number): void {
    const own = colour === this.shades.line ? '' : ` stroke="${colour}"`;
    this.#draw(`fill="none"${own} stroke-width="${width}"`, d);
  }

  /** Where two pieces meet. */
  seam(d: string): void {
    this.line(d, this.shades.line, 1.1);
  }

  /** Topstitching, in the cloth's own thread or another. */
  stitch(d: string, colour: string = this.shades.thread): void {
    this.#draw(
      `fill="none" stroke="${colour}" stroke-width="1" stroke-linecap="butt" stroke-dasharray="3.2 2"`,
      d,
    );
  }

  /** A hollow in the cloth: a sliver from end to end, widest (in pixels) in the middle. */
  fold(from: string, through: string, to: string, width: number): void {
    this.#sliver('#1d12090e', from, through, to, width);
  }

  /** A ridge that catches the light. */
  lift(from: string, through: string, to: string, width: number): void {
    this.#sliver('#fffaf00a', from, through, to, width);
  }

  #sliver(colour: string, from: string, through: string, to: string, width: number): void {
    const [x = 0, y = 0] = through.split(' ').map(Number);
    const lens = (half: number): string =>
      `M${from}Q${x + half} ${y} ${to}Q${x - half} ${y} ${from}Z`;
    // Two slivers, one in the other: the edge of a fold is soft.
    this.#draw(`fill="${colour}" stroke="none"`, lens(width), 0);
    this.#draw(`stroke="none" fill="${colour}"`, lens(width * 0.45), 0);
  }

  /** A plain filled shape without edge or light: a label, an eyelet, a shadow under a flap. */
  patch(d: string, colour: string, opacity = 1): void {
    this.#draw(
      `fill="${colour}"${opacity === 1 ? '' : ` fill-opacity="${opacity}"`} stroke="none"`,
      d,
    );
  }

  /** Buttons with two holes; `at` lists centres as `x y`. */
  buttons(at: readonly string[], radius = 3.4, colour = '#e9dcc0'): void {
    this.#flush();
    const id = `b${radius}${colour.slice(1)}`.replace('.', '_');
    this.#defs.set(
      id,
      `<g id="${id}" stroke="#2a1c10" stroke-width=".8"><circle cx=".8" cy="1.3" r="${radius}" opacity=".35"/>` +
        `<circle r="${radius}" fill="${colour}"/><path d="M-1.1 0h.1M1 0h.1"/></g>`,
    );
    for (const centre of at) {
      const [x = 0, y = 0] = centre.split(' ').map(Number);
      const [px, py] = this.#hand([x, y]).map((value) => Math.round(value * 10) / 10);
      this.#body.push(`<use href="#${id}" x="${px}" y="${py}"/>`);
    }
  }

  /** The shop's woven label: undyed tape with the red edge. */
  label(x: number, y: number, width = 22): void {
    const [l, r] = [x - width / 2, x + width / 2];
    this.patch(`M${l} ${y}L${r} ${y}L${r} ${y + 9}L${l} ${y + 9}Z`, '#f6f1e6');
    this.line(`M${l + 0.5} ${y + 7}L${r - 0.5} ${y + 7}`, '#b3261e', 1.2);
  }

  /** The finished file. */
  svg(): string {
    this.#flush();
    const all = `<g id="all">${this.#silhouette.map((id) => `<use href="#${id}"/>`).join('')}</g>`;
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
      `<defs>${BACKDROP.defs}${[...this.#defs.values()].join('')}${all}</defs>` +
      `${BACKDROP.body}${SHADOW}` +
      `<g stroke="${this.shades.line}" stroke-width="1.3" stroke-linejoin="round" stroke-linecap="round">${this.#body.join('')}</g></svg>\n`
    );
  }
}
