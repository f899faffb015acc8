/** Looks for a browser as root of this process's environment, for a test that does so in several. */
import { bringChromium } from './find.ts';

try {
  const path = await bringChromium({ env: process.env, isRoot: true, log: console.error });
  console.log(path);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
