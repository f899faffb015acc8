/** Another host on the backend of a test. */
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
