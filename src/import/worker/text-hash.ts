/**
 * Hashes of texts: 64 bits as two numbers where two texts must never be taken for one (among 2,000,000
 * stock codes, the chance that any two collide is 1 in 10 million), 32 bits where one error in four
 * billion does no harm. Not secure against an attacker. The multipliers are those of MurmurHash3; the
 * values that `high`, `low` and `hash` begin with are arbitrary.
 */
export class TextHash {
  high = 0;
  low = 0;

  /** Hashes several texts into `high` and `low`; `ab`, `c` and `a`, `bc` differ. Returns itself. */
  of(...texts: readonly string[]): this {
    let high = 0x9747b28c;
    let low = 0x3c6ef372;
    for (const text of texts) {
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        high = Math.imul(((high << 13) | (high >>> 19)) ^ code, 0xcc9e2d51);
        low = Math.imul(((low << 15) | (low >>> 17)) ^ code, 0x1b873593);
      }
      high = Math.imul(high ^ END_OF_TEXT, 0xcc9e2d51);
      low = Math.imul(low ^ END_OF_TEXT, 0x1b873593);
    }
    this.high = mixed(high);
    this.low = mixed(low ^ high);
    return this;
  }
}

/** Hashes one text to 32 bits. */
export function shortHash(text: string): number {
  let hash = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(((hash << 13) | (hash >>> 19)) ^ text.charCodeAt(i), 0xcc9e2d51);
  }
  return mixed(hash);
}

/** Greater than any UTF-16 unit. */
const END_OF_TEXT = 0x10000;

/** Every bit of the input reaches every bit of the output (MurmurHash3's last step, A. Appleby). */
function mixed(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
