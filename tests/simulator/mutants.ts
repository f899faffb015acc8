/**
 * Deliberate bugs, each a small change to a copy of the product's own text: the ways in which
 * offline carts lose, double or misplace changes. The product knows nothing of them.
 */
export interface Edit {
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

export interface Mutant {
  readonly name: string;
  readonly edits: readonly Edit[];
}

const LOG = 'src/db/shopper-log.ts';
const ENGINE = 'src/sync/push-and-pull.ts';
const REMOTE = 'src/remote/shopper.ts';
const IDENTITY = 'src/db/identity.ts';
const TABLES = 'supabase/migrations/20261121000000_shopper.sql';
/** Of what later migrations replace, the last word is in those. */
const PULL = 'supabase/migrations/20261122000100_shopper_restore.sql';
const PUSH = 'supabase/migrations/20261122000300_shopper_changes.sql';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'dropped when the push answers',
    edits: [
      {
        file: ENGINE,
        find: 'sentTo = last.seq;',
        replace: 'sentTo = last.seq;\n await db.outbox.bulkDelete(batch.map(({ seq }) => seq));',
      },
    ],
  },
  {
    name: 'dropped when the push is sent',
    edits: [
      {
        file: ENGINE,
        find: 'if (!answer.ok) return outcomeOf(answer.failure);',
        replace:
          'await db.outbox.bulkDelete(batch.map(({ seq }) => seq));\n if (!answer.ok) return outcomeOf(answer.failure);',
      },
    ],
  },
  {
    name: 'absolute quantities at the server',
    edits: [
      {
        file: PUSH,
        find: 'set quantity = line.quantity + excluded.quantity',
        replace: 'set quantity = excluded.quantity',
      },
    ],
  },
  {
    name: 'absolute quantities sent',
    edits: [
      {
        file: REMOTE,
        find: 'p_changes: changes };',
        replace: `p_changes: changes.map((change) => change.kind === 'cart.add'
      ? { ...change, kind: 'cart.set', args: { productId: change.args.productId, quantity: change.args.by } }
      : change) };`,
      },
    ],
  },
  {
    name: 'no idempotency key',
    edits: [
      {
        file: PUSH,
        find: `continue when exists (
      select from public.applied_changes a where a.user_id = p_user and a.change_id = id);`,
        replace:
          'delete from public.applied_changes a where a.user_id = p_user and a.change_id = id;',
      },
    ],
  },
  {
    name: 'effect and record in two transactions',
    edits: [
      {
        file: PUSH,
        find: 'perform public.apply_change(p_user, change);',
        replace: `begin perform public.apply_change(p_user, change);
      exception when transaction_rollback then null; end;`,
      },
    ],
  },
  {
    name: 'a passing error counts as a rejection',
    edits: [
      {
        file: PUSH,
        find: 'exception when data_exception or integrity_constraint_violation or raise_exception then\n      insert',
        replace: 'exception when others then\n      insert',
      },
    ],
  },
  {
    name: 'a rejection stops the batch',
    edits: [
      {
        file: PUSH,
        find: `sqlstate, public.rejection_sentence(sqlstate, sqlerrm), public.time_or_null(change ->> 'madeAt'));`,
        replace: `sqlstate, public.rejection_sentence(sqlstate, sqlerrm), public.time_or_null(change ->> 'madeAt'));
      exit;`,
      },
    ],
  },
  {
    name: 'a rejection is dropped in silence',
    edits: [
      {
        file: LOG,
        find: 'await db.refused.bulkPut(parked);',
        replace: '',
      },
    ],
  },
  {
    name: 'a deletion raises no version',
    edits: [
      {
        file: TABLES,
        find: `create trigger raise_versions_delete
  after delete on public.cart_items referencing old table as changed
  for each statement execute function public.raise_versions();`,
        replace: '',
      },
    ],
  },
  {
    name: 'rows are taken in although a change that waits was not asked about',
    edits: [
      {
        file: LOG,
        find: `if ((await readPending(db, uid)).some(({ id }) => !known.has(id))) return 'stale';`,
        replace: '',
      },
    ],
  },
  {
    name: 'no staleness check',
    edits: [
      {
        file: LOG,
        find: `if (base && !isSameVersion(base, since) && !isNewer(pulled, base)) return 'stale';`,
        replace: '',
      },
    ],
  },
  {
    name: '“as before” for a base that it does not fit',
    edits: [
      {
        file: LOG,
        find: `} else if (base?.ver !== ver || (base.stamp ?? stamp) !== stamp) {
      return 'stale';`,
        replace: `} else if (base) {
      await db.bases.put({ ...base, ver });`,
      },
    ],
  },
  {
    name: 'the newest batch first',
    edits: [
      {
        file: ENGINE,
        find: '.slice(0, PUSH_LIMIT)',
        replace: '.slice(-PUSH_LIMIT)',
      },
    ],
  },
  {
    name: 'the outbox of all users is sent',
    edits: [
      {
        file: LOG,
        find: "return db.outbox.where('[uid+seq]').between([uid, Dexie.minKey], [uid, Dexie.maxKey]).toArray();",
        replace: 'return db.outbox.toArray();',
      },
    ],
  },
  {
    name: 'a change is kept for whoever is signed in',
    edits: [
      {
        file: LOG,
        find: 'if ((await readShopper(db))?.uid !== uid) return false;',
        replace: 'uid = (await readShopper(db))?.uid ?? uid;',
      },
    ],
  },
  {
    name: 'an answer for another shopper is taken in',
    edits: [
      {
        file: LOG,
        find: `if ((await readShopper(db))?.uid !== uid) return 'stale';`,
        replace: '',
      },
    ],
  },
  {
    name: 'anonymous when there is no token',
    edits: [
      {
        file: 'src/remote/with-token.ts',
        find: 'if (!first.ok) return first;',
        replace: 'if (!first.ok) return send(undefined as never);',
      },
    ],
  },
  {
    name: 'another shopper’s token will do',
    edits: [
      {
        file: 'src/remote/auth/tokens.ts',
        find: 'return session?.uid === uid ? session : null;',
        replace: 'return session;',
      },
    ],
  },
  {
    name: 'rows of one snapshot, version and acknowledgements of the next',
    edits: [
      {
        file: REMOTE,
        find: `return call(uid, 'rpc/pull', body, signal, parsePull);`,
        replace: `return call(uid, 'rpc/pull', { ...body, p_pending: [] }, signal, parsePull).then(async (rows) => {
        const acks = await call(uid, 'rpc/pull', body, signal, parsePull);
        if (!rows.ok || !acks.ok) return acks;
        return { ok: true, value: { ...acks.value, data: rows.value.data } };
      });`,
      },
    ],
  },
  {
    name: 'the base is put in one transaction, the outbox cleared in the next',
    edits: [
      {
        file: LOG,
        find: `    await settle(db, pulled);
    return 'applied';
  });`,
        replace: `    return 'applied' as const;
  }).then(async (outcome) => {
    await db.transaction('rw', db.outbox, db.refused, () => settle(db, pulled));
    return outcome;
  });`,
      },
    ],
  },
  {
    name: 'a logout deletes the outbox',
    edits: [
      {
        file: IDENTITY,
        find: `return db.transaction('rw', [db.session, ...forgettable(db)], async () => {`,
        replace: `return db.transaction('rw', [db.session, ...forgettable(db), db.outbox], async () => {
    await db.outbox.clear();`,
      },
    ],
  },
  {
    name: 'a lost answer counts as sent',
    edits: [
      {
        file: ENGINE,
        find: 'if (!answer.ok) return outcomeOf(answer.failure);',
        replace:
          "if (!answer.ok && answer.failure.kind !== 'offline') return outcomeOf(answer.failure);",
      },
    ],
  },
  {
    name: 'the push answer’s version is taken for the base’s',
    edits: [
      { file: ENGINE, find: 'let sentTo = 0;', replace: 'let sentTo = 0; let newest = null;' },
      {
        file: ENGINE,
        find: 'sentTo = last.seq;',
        replace: 'sentTo = last.seq; newest = answer.value;',
      },
      {
        file: ENGINE,
        find: 'const since = (await db.bases.get(uid)) ?? null;',
        replace:
          'const since = newest ? { ver: newest, stamp: null } : ((await db.bases.get(uid)) ?? null); newest = null;',
      },
      {
        file: LOG,
        find: '} else if (base?.ver !== ver || (base.stamp ?? stamp) !== stamp) {',
        replace: '} else if (!base) {',
      },
    ],
  },
  {
    name: 'a rejection is never acknowledged',
    edits: [
      {
        file: PULL,
        find: 'where a.user_id = shopper.id and a.change_id = any (p_pending)',
        replace: `where a.user_id = shopper.id and a.change_id = any (p_pending)
      and a.outcome = 'applied'`,
      },
    ],
  },
  {
    name: 'the next user inherits the outbox',
    edits: [
      {
        file: IDENTITY,
        find: `[db.session, ...forgettable(db)], () => work(db))`,
        replace: `[db.session, ...forgettable(db), db.outbox], () => work(db))`,
      },
      {
        file: IDENTITY,
        find: `await db.meta.put({ key: 'shopper', ...user, session: 'live' });`,
        replace: `await db.meta.put({ key: 'shopper', ...user, session: 'live' });
    await db.outbox.toCollection().modify({ uid: user.uid });`,
      },
    ],
  },
  {
    name: 'a run that has ended still counts as running',
    edits: [
      {
        file: 'src/browser/poll.ts',
        find: '    isRunning = false;\n    if (pauseMs',
        replace: '    if (pauseMs',
      },
    ],
  },
];
