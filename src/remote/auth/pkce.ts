/**
 * The verifiers that auth-js stores when it asks for a mail with a link (`flowType: 'pkce'`): an index of
 * the last five, and a slot for each. auth-js's own exchange takes the newest only and deletes it even for
 * a code that it does not fit. Source: auth-js 2.119, lib/helpers.ts, `storePKCEVerifier`.
 */
import { parseJson } from '../../domain/fields.ts';
import type { SessionStore } from './session.ts';

export interface StoredVerifier {
  readonly verifier: string;
  /** Whether it was stored for a link for a new password. */
  readonly isRecovery: boolean;
  readonly remove: () => Promise<void>;
}

/** Newest first. Skips an id in the index without a slot. */
export async function readVerifiers(store: SessionStore): Promise<readonly StoredVerifier[]> {
  const read = async (name: string) => parseJson(await store.getItem(name));
  const index = await read(`${store.key}-flows-code-verifier`);
  const slots = Array.isArray(index)
    ? index.map((flow) => `${store.key}-flow-${String(flow)}-code-verifier`)
    : [];
  const stored = await Promise.all(
    slots.map(async (slot) => {
      const text = await read(slot);
      if (typeof text !== 'string') return [];
      const [verifier = '', purpose] = text.split('/'); // auth-js adds `/recovery`
      const remove = () => store.removeItem(slot);
      return [{ verifier, isRecovery: purpose === 'recovery', remove }];
    }),
  );
  return stored.flat().reverse();
}
