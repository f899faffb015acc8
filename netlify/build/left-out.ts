/**
 * Parts of auth-js that this shop never calls. They are properties and methods of the one class that
 * it does call, so no bundler can tell, and every phone would keep them for nothing.
 */
import type { Plugin } from 'vite';

const AUTH_JS = '@supabase/auth-js/dist/module/';

/** Accounts as an administrator sees them, passkeys and wallets: what auth-js imports of each. */
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
 * Puts one function in the place of each. `new` on it makes an empty object, as auth-js's client
 * does when it is made; a call throws. A version that imports more of them stops the build.
 */
export function leftOut(): Plugin {
  const unseen = new Set(Object.keys(PARTS));
  return {
    name: 'left-out',
    apply: 'build',
    load(id) {
      const [, part = ''] = id.split(AUTH_JS);
      const names = PARTS[part];
      if (!names) return null;
      unseen.delete(part);
      return `function leftOut() {
        if (!new.target) throw new Error('left out of this build');
      }
      export { ${names.map((name) => `leftOut as ${name}`).join(', ')} };`;
    },
    buildEnd(error) {
      if (error || unseen.size === 0) return;
      this.error(`auth-js does not have ${[...unseen].join(', ')} where they were left out`);
    },
  };
}
