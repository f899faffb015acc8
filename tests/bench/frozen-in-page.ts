/** What the bench of a frozen tab runs inside pages. Each function is passed to the browser as text. */

/** The ids of the products that the page shows. */
export function shownProducts(): number[] {
  const cards = document.querySelectorAll<HTMLElement>('[data-product]');
  return [...cards].map(({ dataset }) => Number(dataset['product']));
}

/** Taps "Add to Cart". Returns the ms until the cart's count changes or a notice says the tap waits. */
export async function tapAdd(productId: number): Promise<number> {
  const link = document.querySelector('header a[href="/cart"]');
  // That of the notices: the line about the storage is a status, too.
  const region = document.querySelector('[role=alert] + [role=status]');
  const button = document.querySelector<HTMLElement>(
    `[data-product="${productId}"] button:not([aria-pressed])`,
  );
  if (!link || !region || !button) throw new Error('the page does not show the shop');
  const countBefore = link.textContent;
  // The notice of an earlier tap must not be taken for this one's.
  region.parentElement?.querySelector<HTMLElement>('[aria-label="Close this message"]')?.click();
  await new Promise((resolve) => {
    requestAnimationFrame(resolve);
  });
  return new Promise((resolve) => {
    const beganMs = performance.now();
    const checkForAnswer = () => {
      const isWaiting = region.textContent?.includes('Waiting for this device’s storage') ?? false;
      if (!isWaiting && link.textContent === countBefore) return;
      observer.disconnect();
      resolve(performance.now() - beganMs);
    };
    const observer = new MutationObserver(checkForAnswer);
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    button.click();
  });
}

export function tapHeart(productId: number): void {
  document.querySelector<HTMLElement>(`[data-product="${productId}"] [aria-pressed]`)?.click();
}

/** Whether the heart of a product is full, as `isFull` says. */
export function isHeartFull([productId, isFull]: readonly [number, boolean]): boolean {
  const heart = document.querySelector(`[data-product="${productId}"] [aria-pressed]`);
  return heart?.ariaPressed === String(isFull);
}
