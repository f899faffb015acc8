import { localKey } from '../browser/storage-key.ts';

/**
 * Where the import page keeps one user's matches of columns (import/matches.ts). It stands here because a logout
 * clears it (`personal-state.ts`), and `account` imports no other screen.
 */
export const matchesKey = localKey('weft-import-matches');
