/** What a build takes from its environment into the documents (vite.config.ts). */
import { afterEach, expect, test, vi } from 'vitest';
import configure from '../../vite.config.ts';

afterEach(() => vi.unstubAllEnvs());

test.each(['Cash $& Carry', 'Bling $$', "Tom's <Tees>"])(
  'the documents of a shop named %j have its name as it was given',
  (name) => {
    vi.stubEnv('VITE_STORE_NAME', name);
    const { plugins = [] } = configure({ mode: 'embedded', command: 'build' });
    const plugin = plugins.find(
      (given) => given && 'name' in given && given.name === 'configuration-in-html',
    );
    if (!plugin || !('transformIndexHtml' in plugin)) throw new Error('there is no such plugin');
    const transform = plugin.transformIndexHtml as (html: string) => string; // as vite.config.ts writes it
    const title = transform('<title>%STORE_NAME%</title>');
    const text = title.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    expect(text).toBe(`<title>${name}</title>`);
  },
);
