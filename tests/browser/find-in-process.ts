/** Looks for a browser as if this process were root's. A test starts several such processes at once. */
import { bringChromium } from './find.ts';

try {
  const path = await bringChromium({ env: process.env, isRoot: true, log: console.error });
  console.log(path);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
