/** What the bench of a frozen tab does inside pages. Each is given to the browser as text. */

/** Ids of the products whose cards stand there. */
export function shownProducts(): number[] {
  const cards = document.querySelectorAll<HTMLElement>('[data-product]');
  return [...cards].map(({ dataset }) => Number(dataset['product']));
}

/** Taps "Add to Cart". Returns the time until the cart has it, or words say that it waits. */
export async function tapAdd(productId: number): Promise<number> {
  const link = document.querySelector('header a[href="/cart"]');
  const region = document.querySelector('[role=status]');
  const button = document.querySelector<HTMLElement>(
    `[data-product="${productId}"] button:not([aria-pressed])`,
  );
  if (!link || !region || !button) throw new Error('the shop does not stand there');
  const before = link.textContent;
  // What an earlier tap was told is no answer to this one.
  region.parentElement?.querySelector<HTMLElement>('[aria-label="Close this message"]')?.click();
  await new Promise((resolve) => {
    requestAnimationFrame(resolve);
  });
  return new Promise((resolve) => {
    const beganMs = performance.now();
    const look = () => {
      const isTold = region.textContent?.includes('Waiting for this device’s storage') ?? false;
      if (!isTold && link.textContent === before) return;
      watch.disconnect();
      resolve(performance.now() - beganMs);
    };
    const watch = new MutationObserver(look);
    watch.observe(document.body, { subtree: true, childList: true, characterData: true });
    button.click();
  });
}

export function tapHeart(productId: number): void {
  document.querySelector<HTMLElement>(`[data-product="${productId}"] [aria-pressed]`)?.click();
}

export function isHeartFull([productId, isFull]: readonly [number, boolean]): boolean {
  const heart = document.querySelector(`[data-product="${productId}"] [aria-pressed]`);
  return heart?.ariaPressed === String(isFull);
}
