/**
 * A hash table that numbers its keys from 0: open addressing over typed arrays, at most half full.
 * A million keys take 17 MB here and ten times that in a `Map`.
 */
export class KeyTable {
  size = 0;
  /** Each slot holds 1 + a key's number, 0 when free. */
  #slots = new Uint32Array(1 << 12);
  /** Two elements for each key, by its number: the high half and the low one. */
  #keys = new Uint32Array(1 << 12);

  /** The number of a key of 64 bits, given in two halves; -1 for an unknown key. */
  find(high: number, low: number): number {
    return this.#slots[this.#slotOf(high, low)]! - 1; // inside the table
  }

  /** Returns the number of a key, and adds a new key, whose number is the former `size`. */
  enter(high: number, low: number): number {
    const slot = this.#slotOf(high, low);
    const existing = this.#slots[slot]! - 1; // inside the table
    if (existing >= 0) return existing;
    const number = this.size;
    this.#slots[slot] = number + 1;
    this.#keys[number * 2] = high;
    this.#keys[number * 2 + 1] = low;
    this.size += 1;
    if (this.size * 2 === this.#slots.length) this.#grow();
    return number;
  }

  /** The slot of the key, or the free slot where it belongs. */
  #slotOf(high: number, low: number): number {
    const slots = this.#slots;
    const keys = this.#keys;
    const mask = slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot]! - 1; // the mask keeps the slot inside the table
      if (number < 0) return slot;
      if (keys[number * 2 + 1] === low && keys[number * 2] === high) return slot;
    }
  }

  #grow(): void {
    const { length } = this.#slots;
    const keys = new Uint32Array(length * 2);
    keys.set(this.#keys);
    const slots = new Uint32Array(length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = keys[number * 2 + 1]! & mask; // number < size
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#keys = keys;
    this.#slots = slots;
  }
}

/** A list of 32-bit numbers that grows to the index written; a number that was never written is 0. */
export class NumberList {
  #numbers = new Uint32Array(1024);

  at(index: number): number {
    return this.#numbers[index] ?? 0;
  }

  set(index: number, value: number): void {
    let { length } = this.#numbers;
    while (index >= length) length *= 2;
    if (length > this.#numbers.length) {
      const numbers = new Uint32Array(length);
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
    this.#numbers[index] = value;
  }
}

/** A set of small numbers, one bit each. */
export class BitSet {
  #bits = new Uint8Array(1024);

  add(number: number): void {
    const index = number >>> 3;
    let { length } = this.#bits;
    while (index >= length) length *= 2;
    if (length > this.#bits.length) {
      const bits = new Uint8Array(length);
      bits.set(this.#bits);
      this.#bits = bits;
    }
    this.#bits[index]! |= 1 << (number & 7); // index < length
  }

  /** The bytes up to the last number in the set. */
  toBytes(): Uint8Array<ArrayBuffer> {
    let end = this.#bits.length;
    while (end > 0 && this.#bits[end - 1] === 0) end -= 1;
    return this.#bits.slice(0, end);
  }
}

/** Whether the bytes of a `BitSet` hold a number. */
export function hasBit(bytes: Uint8Array, number: number): boolean {
  return (((bytes[number >>> 3] ?? 0) >>> (number & 7)) & 1) === 1;
}
