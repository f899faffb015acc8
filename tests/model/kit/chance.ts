import { seeded } from '../../random.ts';

/** Random draws from one seed: the same seed gives the same draws. */
export class Chance {
  /** From 0 up to 1. */
  readonly next: () => number;

  /** @param stream the number of a sequence of draws that does not depend on the draws of other streams */
  constructor(seed: number, stream = 0) {
    // The multipliers and the skipped draws keep neighbouring seeds and streams from drawing alike.
    this.next = seeded(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b));
    for (let i = 0; i < 4; i++) this.next();
  }

  /** True with this probability, from 0 to 1. */
  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number, both ends included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** @throws when there is nothing to pick from */
  pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.next() * list.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  /** As `pick`, but for an empty list draws nothing and returns undefined. */
  pickIfAny<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : this.pick(list);
  }

  /** Picks a value; a value with twice the weight is twice as likely. */
  weighted<T>(options: readonly (readonly [weight: number, value: T])[]): T {
    const total = options.reduce((sum, [weight]) => sum + weight, 0);
    let weightLeft = this.next() * total;
    for (const [weight, value] of options) {
      weightLeft -= weight;
      if (weightLeft < 0) return value;
    }
    throw new Error('nothing to pick from');
  }

  /** A random UUID of version 4. */
  uuid = (): `${string}-${string}-${string}-${string}-${string}` => {
    const hex = Array.from({ length: 32 }, () => this.between(0, 15).toString(16)).join('');
    const version = `4${hex.slice(13, 16)}`;
    const variant = `8${hex.slice(17, 20)}`;
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}-${variant}-${hex.slice(20)}`;
  };
}
