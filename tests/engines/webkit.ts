/** WebKitGTK's MiniBrowser, driven by W3C WebDriver. A browser that is driven so keeps nothing over a restart. */
import { Builder, Key, type WebDriver, type WebElement } from 'selenium-webdriver';
import type { Engine, Tab, TabElement } from './engine.ts';
import { miniBrowser } from './install.ts';
import { freePort, retryConnect, startOnDisplay } from './webkit-process.ts';

export const WEBKIT: Engine = {
  name: 'webkit',
  async open(_profile, storage) {
    if (storage === 'blocked') throw new Error('WebDriver has no way to block storage');
    const port = await freePort();
    const webdriver = startOnDisplay(['WebKitWebDriver', `--port=${port}`, '--host=127.0.0.1']);
    const driver = await retryConnect(() => connect(port));
    let isFirstTab = true;
    return {
      async newTab() {
        // A session begins with an empty tab, and the first visitor takes it: beside an empty tab the browser
        // sometimes hides another tab and does not draw it.
        if (!isFirstTab) await driver.switchTo().newWindow('tab');
        isFirstTab = false;
        return tabOf(driver, await driver.getWindowHandle());
      },
      async close() {
        await driver.quit().catch(() => undefined);
        await webdriver.end();
      },
    };
  },
};

async function connect(port: number): Promise<WebDriver> {
  return new Builder()
    .disableEnvironmentOverrides()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] },
    })
    .build();
}

/** WebDriver acts on one tab at a time, so each action first chooses its tab. */
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
        const element = await driver.executeScript<WebElement | null>(`return ${expression}`);
        return element && tabElementOf(element, inTab);
      }),
    pressEnter: () =>
      inTab(async () => {
        await driver.switchTo().activeElement().sendKeys(Key.ENTER);
      }),
  };
}

function tabElementOf(
  element: WebElement,
  inTab: (work: () => Promise<void>) => Promise<void>,
): TabElement {
  return {
    click: () => inTab(() => element.click()),
    type: (text) => inTab(() => element.sendKeys(text)),
    chooseFile: (path) => inTab(() => element.sendKeys(path)),
  };
}
