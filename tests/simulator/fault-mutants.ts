/**
 * Deliberate bugs in how the product bears a storage that fails, a server that goes back, tabs that
 * freeze and services that are unwell.
 */
import type { Mutant } from './mutants.ts';

export const FAULT_MUTANTS: readonly Mutant[] = [
  {
    name: 'a failed write is dropped without a word',
    edits: [
      {
        file: 'src/db/open.ts',
        find: '...Object.values(failures ?? [])',
        replace: '',
      },
      {
        file: 'src/db/write-change.ts',
        find: 'if (!isStorageFailure(error)) reportError(error);',
        replace: 'if (!isStorageFailure(error)) throw error;',
      },
      {
        file: 'src/db/shopper-change.ts',
        find: 'reportError(error);',
        replace: 'throw error;',
      },
    ],
  },
  {
    name: 'one passing fault gives the device up',
    edits: [
      {
        file: 'src/db/failover.ts',
        find: 'void this.#askAgain(opening);',
        replace: '',
      },
    ],
  },
  {
    name: 'what memory made is not carried back',
    edits: [
      {
        file: 'src/db/carry-back.ts',
        find: 'await device.outbox.bulkAdd(',
        replace: 'void (',
      },
    ],
  },
  {
    name: 'memory does not hear of a logout elsewhere',
    edits: [
      {
        file: 'src/account/other-tabs.ts',
        find: 'void home.failover.forgetAllBut(message.uid);',
        replace: '',
      },
    ],
  },
  {
    name: 'a version counts without its stamp: a shopper’s',
    edits: [
      {
        file: 'src/remote/shopper.ts',
        find: 'if (since === null || since.stamp === null) return {};',
        replace: 'if (since !== undefined) return {};',
      },
    ],
  },
  {
    name: 'a version counts without its stamp: the catalogue’s',
    edits: [
      {
        file: 'src/sync/pull-catalogue.ts',
        find: 'return stamp !== undefined && stampedVer === ver ? { ver, stamp } : { ver };',
        replace: 'return stamp !== undefined && stampedVer === -1 ? { ver, stamp } : { ver };',
      },
    ],
  },
  {
    name: '+ sends what the quantity should become',
    edits: [
      {
        file: 'src/cart/mutations.ts',
        find: "return [{ kind: 'cart.add', args: { productId, by } }];",
        replace: "return [{ kind: 'cart.set', args: { productId, quantity: present + by } }];",
      },
    ],
  },
  {
    name: 'REST’s word ends a session',
    edits: [
      {
        file: 'src/remote/with-token.ts',
        find: 'return second.ok ? send(second.value) : second;',
        replace: `if (!second.ok) return second;
  const again = await send(second.value);
  if (again.ok || !isTokenRejected(again.failure)) return again;
  return { ok: false, failure: { kind: 'sign-in' } };`,
      },
      {
        file: 'src/db/identity.ts',
        find: ' || (stored && userOf(stored.value)?.uid === uid)) return;',
        replace: ') return;',
      },
    ],
  },
  {
    name: 'realtime is joined again without a pause',
    edits: [
      {
        file: 'src/remote/invalidation.ts',
        find: 'joinAfter(own, backoffMs(failures, FIRST_PAUSE_MS, timing.random));',
        replace: 'joinAfter(own, 0);',
      },
      { file: 'src/remote/invalidation.ts', find: 'budget.settle(!isStable);', replace: '' },
      {
        file: 'src/remote/invalidation.ts',
        find: "if (!budget.take('background')) {",
        replace: 'if (false) {',
      },
    ],
  },
  {
    name: 'a cut run starts over',
    edits: [
      {
        file: 'src/sync/push-and-pull.ts',
        find: 'let mustPull = memory.unseen === uid;',
        replace: 'let mustPull = false;',
      },
    ],
  },
  {
    name: '“more” is asked for without an end',
    edits: [
      {
        file: 'src/sync/pull-catalogue.ts',
        find: 'if (here === before || loads > MOST_LOADS) return NO_PROGRESS;',
        replace: '',
      },
    ],
  },
  {
    name: 'the first read waits for a frozen tab',
    edits: [
      {
        file: 'src/db/first-read.ts',
        find: 'this.#reading.abort();',
        replace: '',
      },
    ],
  },
  {
    name: 'a tap waits for a frozen tab without a word',
    edits: [
      {
        file: 'src/db/shopper-change.ts',
        find: 'setTimeout(() => void keep(), PATIENCE_MS);',
        replace: '',
      },
    ],
  },
  {
    name: 'a renewal outlasts a logout',
    edits: [
      {
        file: 'src/remote/auth/tokens.ts',
        find: 'const stored = await sessionOf(uid);\n    if (!stored) return SIGN_IN_NEEDED;',
        replace: 'const stored = session;',
      },
    ],
  },
];
