import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const CANDIDATES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
];

/**
 * The path of a Chromium: the one named by CHROMIUM_PATH, one that is installed, or, on Debian and
 * its kin with the right to install, the distribution's own.
 * @throws an Error whose message says in plain words what to install
 */
export function findChromium(): string {
  const named = process.env['CHROMIUM_PATH'];
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, and there is no such file.`);
  }
  const installed = installedChromium();
  if (installed) return installed;
  if (isDebian() && process.getuid?.() === 0) {
    console.log('Chromium is not on this machine; installing it with apt-get (about a minute).');
    const options = {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    } as const;
    spawnSync('apt-get', ['update'], options);
    spawnSync(
      'apt-get',
      ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'],
      options,
    );
    const fresh = installedChromium();
    if (fresh) return fresh;
  }
  throw new Error(
    'The browser tests need Chromium or Chrome, and none was found. ' +
      'On Debian or Ubuntu: sudo apt-get install chromium. On a Mac or Windows: install Google Chrome. ' +
      'If it lies somewhere unusual, set CHROMIUM_PATH to its path.',
  );
}

function installedChromium(): string | undefined {
  return CANDIDATES.find((path) => existsSync(path));
}

function isDebian(): boolean {
  return (
    existsSync('/etc/os-release') && /debian|ubuntu/i.test(readFileSync('/etc/os-release', 'utf8'))
  );
}
