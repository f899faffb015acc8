/**
 * Leaves out parts of two libraries that the shop does not need and the bundler cannot drop by itself.
 *
 * auth-js: `GoTrueClient`, which the shop needs, imports all modules, so some of them become stubs.
 * react-router: each component gets a name for developer tools, so the bundler keeps the component. Forms, links with
 * data loaded ahead and routes with data would be 7 kB more on the first screen.
 */
import type { Plugin } from 'vite';

const ROUTER = 'react-router/dist/production/chunk-';
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
    transform(code, id) {
      if (!id.includes(ROUTER)) return null;
      return code
        .replaceAll(/^\w+\.displayName = .*;$/gm, '')
        .replaceAll(/= (React\d*\.(?:forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ $1');
    },
    buildEnd(error) {
      if (error || notLoaded.size === 0) return;
      this.error(
        `auth-js has no ${[...notLoaded].join(', ')} any more: update PARTS in left-out.ts`,
      );
    },
  };
}
