/** Shirt collars: a stand round the neck, and two leaves that fall over it. */
import { both, half, lower } from './path.ts';
import type { Sheet } from './sheet.ts';

/** Half the opening a buttoned collar leaves, as a neckline for `front`. */
export const SHIRT_NECK = 'M200 128C212 124 232 112 240 98';
export const CAMP_NECK = 'M200 182C210 160 232 124 241 98';

/** The classic one. `by` moves it down the sheet; `points` says how long its leaves are. */
export function shirtCollar(sheet: Sheet, by = 0, points = 0, buttonDown = false): void {
  sheet.lining(half(lower('M200 76C218 76 232 79 239 86C232 104 216 118 200 127', by)));
  sheet.seam(both(lower('M200 92C216 92 228 90 236 86', by)));
  sheet.label(200, 96 + by);
  const tip = `${229 + points * 0.3} ${152 + points}`;
  sheet.patch(
    both(lower(`M258 118L${tip}L231 ${158 + points}C217 148 208 138 200 129L214 116Z`, by)),
    '#1d1209',
    0.16,
  );
  sheet.pair(
    lower(
      `M239 84C248 92 255 103 258 115L${tip}C217 142 208 133 200 124C216 115 233 103 239 84Z`,
      by,
    ),
    {
      turn: 18,
    },
  );
  sheet.stitch(
    both(
      lower(
        `M253 115L${Number(tip.split(' ')[0]) - 0.5} ${147 + points}C218 138 211 132 205 126`,
        by,
      ),
    ),
  );
  if (buttonDown) {
    const y = 146 + by + points;
    sheet.buttons([`229 ${y}`, `171 ${y}`], 2.3);
  }
}

/** A band and nothing else. */
export function bandCollar(sheet: Sheet, by = 0): void {
  sheet.lining(half(lower('M200 90C216 90 228 90 236 86C234 104 216 118 200 126', by)));
  sheet.label(200, 96 + by);
  sheet.pair(
    lower(
      'M236 85C241 89 244 95 245 101C238 118 220 130 203 137C200 137 197 134 196 129C214 122 231 108 236 85Z',
      by,
    ),
    {
      turn: 24,
      light: 'none',
    },
  );
  sheet.stitch(both(lower('M241 101C234 115 218 126 202 133', by)));
}

/** One that lies open in a notch, as on a holiday shirt. */
export function campCollar(sheet: Sheet, by = 0): void {
  sheet.lining(half(lower('M200 82C216 82 231 84 238 90C234 120 214 152 200 182', by)));
  sheet.label(200, 96 + by);
  sheet.patch(both(lower('M262 134L246 158L254 168L201 190L212 160Z', by)), '#1d1209', 0.14);
  sheet.pair(lower('M228 128L256 160C240 172 218 180 200 184C210 164 220 144 228 128Z', by), {
    turn: 14,
  });
  sheet.pair(lower('M238 86C250 96 260 112 265 128L246 149L226 128C232 116 237 102 238 86Z', by), {
    turn: 34,
  });
  sheet.stitch(both(lower('M260 128L245 144L231 128M250 160C238 169 220 176 206 180', by)));
}
