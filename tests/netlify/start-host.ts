/** Another host on the backend of a test. */
import { join } from 'node:path';
import { type Host, type HostOptions, startHost } from '../../netlify/local/host.ts';

/** Starts a host on any free port; it has no pages and no functions unless the options name some. */
export const startTestHost = (
  options: Pick<HostOptions, 'backend'> & Partial<HostOptions>,
): Promise<Host> =>
  startHost({
    port: 0,
    functionsFolder: 'none',
    log: () => undefined,
    ...options,
  });

/** Starts a host with the shop's functions, which have these variables. `await using` closes it. */
export async function openHostWith(
  { backend }: Pick<HostOptions, 'backend'>,
  environment: Readonly<Record<string, string>>,
) {
  const functionsFolder = join(import.meta.dirname, '../../netlify/functions');
  const { url, close } = await startTestHost({ backend, functionsFolder, environment });
  return { url, [Symbol.asyncDispose]: close };
}
