/** The entry of the worker that packs parts, while the import's worker reads the next ones. */
import { expose } from 'comlink';
import { pack } from './pack.ts';

expose(pack);
