/**
 * Puts stubs in place of the modules of auth-js that this shop does not need. The class that it does need,
 * `GoTrueClient`, imports them, so the bundler cannot drop them by itself.
 */
import type { Plugin } from 'vite';

const AUTH_JS = '@supabase/auth-js/dist/module/';

/** Names that auth-js imports for administrators, passkeys and wallets, by file. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'GoTrueAdminApi.js': ['default'],
  'lib/webauthn.js': [
    'browserSupportsWebAuthn',
    'createCredential',
    'deserializeCredentialCreationOptions',
    'deserializeCredentialRequestOptions',
    'getCredential',
    'serializeCredentialCreationResponse',
    'serializeCredentialRequestResponse',
    'webAuthnAbortService',
    'WebAuthnApi',
  ],
  'lib/web3/ethereum.js': ['createSiweMessage', 'fromHex', 'getAddress', 'toHex'],
};

/**
 * Every export of such a module becomes the same stub function. The client of auth-js calls the stub with `new`
 * when it starts, and gets an empty object; a plain call throws. The build stops when a new version of auth-js
 * imports other names or no longer has one of the files.
 */
export function leftOut(): Plugin {
  const notLoaded = new Set(Object.keys(PARTS));
  return {
    name: 'left-out',
    apply: 'build',
    load(id) {
      const [, part = ''] = id.split(AUTH_JS);
      const names = PARTS[part];
      if (!names) return null;
      notLoaded.delete(part);
      return `function leftOut() {
        if (!new.target) throw new Error('left out of this build');
      }
      export { ${names.map((name) => `leftOut as ${name}`).join(', ')} };`;
    },
    buildEnd(error) {
      if (error || notLoaded.size === 0) return;
      this.error(
        `auth-js has no ${[...notLoaded].join(', ')} any more: update PARTS in left-out.ts`,
      );
    },
  };
}
