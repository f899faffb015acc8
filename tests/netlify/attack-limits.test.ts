/** The limits on requests from one IP address, which Netlify keeps by the functions' own settings. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@netlify/functions';
import { expect, test } from 'vitest';

const FUNCTIONS_FOLDER = join(import.meta.dirname, '../../netlify/functions');
const NAMES = readdirSync(FUNCTIONS_FOLDER).map((file) => file.replace('.ts', ''));

async function configOf(name: string): Promise<Config | undefined> {
  const path = `../../netlify/functions/${name}.ts`;
  return ((await import(/* @vite-ignore */ path)) as { config?: Config }).config;
}

test.each(NAMES)(
  '%s has a limit of its own by address, unless only the schedule calls it',
  async (name) => {
    const config = await configOf(name);
    // A scheduled function takes no path, and so no limit.
    if (config && 'schedule' in config) return;
    const path = `/.netlify/functions/${name}`;
    expect(config).toMatchObject({ path, rateLimit: { aggregateBy: ['ip', 'domain'] } });
    // Netlify accepts no window of more than 180 seconds.
    expect(config?.rateLimit?.windowSize).toBeLessThanOrEqual(180);
  },
);
