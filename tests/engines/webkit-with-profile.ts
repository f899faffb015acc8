/**
 * WebKitGTK's MiniBrowser outside of automation, which keeps its profile as a person's browser does. It is
 * driven through its remote inspector, which evaluates scripts but has neither mouse nor keyboard: a click
 * is the element's `click()`, text goes in as the editing command that a key would cause, and Enter submits
 * the form of the focused field.
 */
import { blockStorage } from '../browser/blocked-storage.ts';
import { callOf, type Engine, type Tab, type TabElement } from './engine.ts';
import { Inspector, type RemoteValue } from './inspector.ts';
import { miniBrowser } from './install.ts';
import { freePort, retryConnect, startOnDisplay } from './webkit-process.ts';

export const WEBKIT_WITH_PROFILE: Engine = {
  name: 'webkit',
  async open(profile, storage) {
    const port = await freePort();
    const browser = startOnDisplay([miniBrowser(), 'about:blank'], {
      WEBKIT_INSPECTOR_HTTP_SERVER: `127.0.0.1:${port}`,
      XDG_CACHE_HOME: `${profile}/cache`,
      XDG_CONFIG_HOME: `${profile}/config`,
      XDG_DATA_HOME: `${profile}/data`,
    });
    const beforeLoad = storage === 'blocked' ? callOf(blockStorage) : null;
    const inspector = await retryConnect(() => Inspector.connect(port, beforeLoad));
    return {
      newTab: () => Promise.resolve(tabOf(inspector)),
      async close() {
        inspector.close();
        await browser.end();
      },
    };
  },
};

/** The browser's only tab. */
function tabOf(inspector: Inspector): Tab {
  return {
    goto: (url) => inspector.goto(url),
    evaluate: (expression) => inspector.evaluate(expression) as Promise<never>, // the caller names the type
    async element(expression) {
      const value = await inspector.object(expression);
      return value.subtype === 'node' ? tabElementOf(inspector, value) : null;
    },
    async pressEnter() {
      await inspector.evaluate('document.activeElement.form.requestSubmit()');
    },
  };
}

function tabElementOf(inspector: Inspector, element: RemoteValue): TabElement {
  return {
    click: () => inspector.callOn(element, 'function () { this.focus(); this.click(); }'),
    type: (text) =>
      inspector.callOn(
        element,
        `function () { this.focus(); document.execCommand('insertText', false, ${JSON.stringify(text)}); }`,
      ),
    chooseFile: () => Promise.reject(new Error('the inspector cannot choose files')),
  };
}
