import { localKey } from '../ui/storage-key.ts';

/** Where the import page keeps one user's matches of columns (import/matches.ts). A logout clears it. */
export const matchesKey = localKey('weft-import-matches');
