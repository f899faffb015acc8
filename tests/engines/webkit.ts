/** WebKitGTK's MiniBrowser, driven by W3C WebDriver on a display that nobody sees. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { Builder, Key, type WebDriver, type WebElement } from 'selenium-webdriver';
import { listen } from '../browser/listen.ts';
import type { Engine, Found, Tab } from './engine.ts';

const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

export const WEBKIT: Engine = {
  name: 'webkit',
  // MiniBrowser keeps nothing of an automation session.
  keepsProfiles: false,
  async open() {
    const port = await freePort();
    const processes = spawn(
      'dbus-run-session',
      ['--', 'xvfb-run', '-a', 'WebKitWebDriver', `--port=${port}`, '--host=127.0.0.1'],
      {
        detached: true,
        stdio: 'ignore',
        env: {
          ...process.env,
          // There is neither a graphics card nor, for root in a container, a sandbox.
          WEBKIT_DISABLE_COMPOSITING_MODE: '1',
          WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
        },
      },
    );
    const driver = await connect(port);
    let isFirst = true;
    return {
      async newTab() {
        // The session begins with a tab. Beside an empty one the other is hidden at times, and not drawn.
        if (!isFirst) await driver.switchTo().newWindow('tab');
        isFirst = false;
        return tabOf(driver, await driver.getWindowHandle());
      },
      async close() {
        await driver.quit().catch(() => undefined);
        endGroup(processes);
      },
    };
  },
};

async function connect(port: number): Promise<WebDriver> {
  const capabilities = {
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: MINI_BROWSER, args: ['--automation'] },
  };
  for (let tries = 0; ; tries += 1) {
    try {
      return await new Builder()
        .disableEnvironmentOverrides()
        .usingServer(`http://127.0.0.1:${port}`)
        .withCapabilities(capabilities)
        .build();
    } catch (error) {
      if (tries === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** WebDriver acts on one window at a time, so each action begins by choosing the tab's. */
function tabOf(driver: WebDriver, handle: string): Tab {
  const inTab = async <T>(work: () => Promise<T>): Promise<T> => {
    await driver.switchTo().window(handle);
    return work();
  };
  return {
    goto: (url) => inTab(() => driver.get(url)),
    evaluate: (expression) => inTab(() => driver.executeScript(`return ${expression}`)),
    element: (expression) =>
      inTab(async () => {
        const element = (await driver.executeScript(`return ${expression}`)) as WebElement | null;
        return element && foundOf(element, inTab);
      }),
    press: (key) =>
      inTab(async () => {
        await driver.switchTo().activeElement().sendKeys(KEYS[key]);
      }),
    close: () => inTab(() => driver.close()),
  };
}

const KEYS = { Enter: Key.ENTER, Escape: Key.ESCAPE, Tab: Key.TAB };

function foundOf(element: WebElement, inTab: (work: () => Promise<void>) => Promise<void>): Found {
  return {
    click: () => inTab(() => element.click()),
    type: (text) => inTab(() => element.sendKeys(text)),
    chooseFile: (path) => inTab(() => element.sendKeys(path)),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** `dbus-run-session` and `xvfb-run` have children of their own. */
function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGTERM');
}
