/** Installs Firefox and WebKitGTK where they are missing, before any worker starts. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export const FIREFOX_PATH = '/usr/bin/firefox-esr';

const PROGRAMS = {
  [FIREFOX_PATH]: 'firefox-esr',
  '/usr/bin/WebKitWebDriver': 'webkit2gtk-driver',
  '/usr/bin/xvfb-run': 'xvfb',
  '/usr/bin/xauth': 'xauth',
  '/usr/bin/dbus-run-session': 'dbus',
};

/** Vitest runs this before all journeys. @throws when apt-get cannot install what is missing */
export default function setup(): void {
  const missing = Object.entries(PROGRAMS).filter(([path]) => !existsSync(path));
  const packages = missing.map(([, name]) => name);
  if (packages.length === 0) return;
  console.log(`Installing ${packages.join(', ')}.`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
    if (status === 0) continue;
    throw new Error(
      `The tests in Firefox and WebKit need ${packages.join(', ')}. apt-get ${args[0]} failed:\n${stderr}` +
        'On Debian or Ubuntu, install them with sudo apt-get install.',
    );
  }
}
