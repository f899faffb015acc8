/** What the bench of a frozen tab runs inside pages. Each function is passed to the browser as text. */

/** The ids of the products that the page shows. */
export function shownProducts(): number[] {
  const cards = document.querySelectorAll<HTMLElement>('[data-product]');
  return [...cards].map(({ dataset }) => Number(dataset['product']));
}

/** Taps "Add to Cart". Returns the ms until the cart's count changes or a notice says the tap waits. */
export async function tapAdd(productId: number): Promise<number> {
  const link = document.querySelector('header a[href="/cart"]');
  // The status beside the alert, because the line about the storage is a status, too.
  const notices = document.querySelector('[role=alert] + [role=status]');
  const button = document.querySelector<HTMLElement>(
    `[data-product="${productId}"] button:not([aria-pressed])`,
  );
  if (!link || !notices || !button) throw new Error('the page does not show the shop');
  const countBefore = link.textContent;
  // Closes the notice of an earlier tap, which would be taken for an answer to this tap.
  notices.parentElement?.querySelector<HTMLElement>('[aria-label="Close this message"]')?.click();
  await new Promise((resolve) => {
    requestAnimationFrame(resolve);
  });
  return new Promise((resolve) => {
    const beganMs = performance.now();
    const checkForAnswer = () => {
      const isWaiting = notices.textContent?.includes('not saved yet') ?? false;
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

/** Whether the heart of a product is in the expected state. */
export function isHeartAsExpected([productId, isFull]: readonly [number, boolean]): boolean {
  const heart = document.querySelector(`[data-product="${productId}"] [aria-pressed]`);
  return heart?.ariaPressed === String(isFull);
}
