/** Starts and stops a server of Node's. */
import type { Server } from 'node:http';

/**
 * How long an idle connection stays open. Node's own limit of 5 s is too short: a statement of the embedded
 * database can keep this process busy for longer, and a connection on which a request arrives meanwhile would
 * be closed.
 */
const KEEP_ALIVE_MS = 65_000;

/** Resolves when the server listens. @throws the server's error, such as one with the code EADDRINUSE */
export function listen(server: Server, port: number, hostname: string): Promise<void> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, hostname, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Stops a server and cuts its open connections. */
export async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
