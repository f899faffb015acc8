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

test.each(['https://abcdefgh.supabase.co/', ' https://abcdefgh.supabase.co '])(
  'pages ask Supabase at the right address though it was given as %j',
  (url) => {
    vi.stubEnv('VITE_SUPABASE_URL', url);
    vi.stubEnv('VITE_SUPABASE_PUBLISHABLE_KEY', 'sb_publishable_1');
    const { define } = configure({ mode: 'production', command: 'build' });
    expect(define?.['import.meta.env.VITE_SUPABASE_URL']).toBe('"https://abcdefgh.supabase.co"');
  },
);
