/** Prints the path of a browser, installing one as root would. A test starts several such processes at once. */
import { findOrInstall } from './find.ts';

try {
  const path = await findOrInstall({ env: process.env, isRoot: true, log: console.error });
  console.log(path);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
