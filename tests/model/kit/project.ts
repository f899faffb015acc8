import { join } from 'node:path';

/** The folder of the project. */
export const PROJECT = join(import.meta.dirname, '../../..');
