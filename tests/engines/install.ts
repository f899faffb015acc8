/** Installs Firefox and WebKitGTK where they are missing, before any worker starts. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

export const FIREFOX_PATH = '/usr/bin/firefox-esr';

/** The Debian package of each program that the engines need. */
const PACKAGES = {
  [FIREFOX_PATH]: 'firefox-esr',
  '/usr/bin/WebKitWebDriver': 'webkit2gtk-driver',
  '/usr/bin/Xvfb': 'xvfb',
  '/usr/bin/xauth': 'xauth',
  '/usr/bin/dbus-run-session': 'dbus-daemon',
};

/** The path of MiniBrowser, which comes with WebKit's library. */
export function miniBrowser(): string {
  const [path] = globSync('/usr/lib/*/webkit*gtk-*/MiniBrowser');
  if (path === undefined) throw new Error('webkit2gtk-driver is installed without its MiniBrowser');
  return path;
}

/** Vitest runs this before all journeys. @throws when something is missing and cannot be installed */
export default function setup(): void {
  const missing = Object.entries(PACKAGES).flatMap(([path, name]) =>
    existsSync(path) ? [] : [name],
  );
  if (missing.length === 0) return;
  const names = missing.join(' ');
  const sentence = `The journeys in Firefox and WebKit need ${names}.`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(
      `${sentence} They are not on this machine, and only root may install them: on Debian, ` +
        `sudo apt-get install ${names}.`,
    );
  }
  console.log(`${sentence} Installing them.`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Waits for another installation, which may be under way.
  const options = ['-q', '-o', 'DPkg::Lock::Timeout=600'];
  for (const call of [['update'], ['install', '-y', '--no-install-recommends', ...missing]]) {
    try {
      execFileSync('apt-get', [...options, ...call], { env, stdio: 'inherit' });
    } catch (cause) {
      const message = `${sentence} apt-get ${call[0]} failed; what it said stands above.`;
      throw new Error(message, { cause });
    }
  }
}
