/**
 * The verifiers that auth-js stores when it asks for a mail with a link (`flowType: 'pkce'`): an index of
 * the last five, and a slot for each. auth-js's own exchange tries only the newest verifier, and deletes it
 * even if the code belongs to another. Source: auth-js 2.119, lib/helpers.ts, `storePKCEVerifier`.
 */
import { parseJson } from '../../domain/fields.ts';
import type { SessionStore } from './session.ts';

export interface StoredVerifier {
  readonly verifier: string;
  /** Whether the link is for a new password. */
  readonly isRecovery: boolean;
  readonly remove: () => Promise<void>;
}

/** Reads the verifiers, newest first. Skips an id in the index that has no slot. */
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
