/** Opens an emulator at an address of its own, with what it knew before the last stop. */
import type { Emulator, EmulatorOptions, EmulatorState } from './emulator.ts';
import { listenOnLoopback } from './server.ts';
import { openStateFile } from './state-file.ts';

/** How often the emulator ends what has run out of time, although no request comes. */
const TICK_MS = 10_000;

/**
 * @param path where to keep the state over restarts; without it the emulator forgets
 * @param create makes the emulator from what was kept
 * @throws PlainFailure when the file is damaged
 */
export async function openEmulator<State extends EmulatorState, E extends Emulator<State>>(
  path: string | undefined,
  create: (kept: EmulatorOptions<State>) => E,
) {
  const file = path === undefined ? undefined : openStateFile<State>(path);
  const server = await listenOnLoopback(file?.port);
  const { url } = server;
  const state = file?.load(url);
  const emulator = create({
    baseUrl: url,
    ...(state && { state }),
    onChange: (changed) => file?.save(changed, url),
  });
  server.serve((request) => emulator.handle(request));
  const ticking = setInterval(() => emulator.tick(), TICK_MS).unref();
  return {
    url,
    emulator,
    async close(): Promise<void> {
      clearInterval(ticking);
      emulator.webhooks.close();
      await server.close();
    },
  };
}
