import { localKey } from '../ui/storage-key.ts';

/** What the import page remembers of columns, for one user: it leaves the device with that user. */
export const matchesKey = localKey('weft-import-matches');
