/** Starts and stops a server of Node's. */
import type { Server } from 'node:http';

/**
 * Longer than Node's 5 s: the embedded database shares this process, and after a statement of that length
 * the server would close a connection on which the next request is just arriving.
 */
const KEEP_ALIVE_MS = 65_000;

/** @throws the server's error, such as one with the code EADDRINUSE */
export function listen(server: Server, port: number, hostname: string): Promise<void> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, hostname, () => {
      server.off('error', failed);
      done();
    });
  });
}

/** Cuts open connections, too. */
export async function stop(server: Server): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeAllConnections();
  await closed;
}
