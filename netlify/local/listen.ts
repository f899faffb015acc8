/** Starts and stops a server of Node's. */
import type { Server } from 'node:http';

/** @throws the server's error, such as one with the code EADDRINUSE */
export function listen(server: Server, port: number, hostname: string): Promise<void> {
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
