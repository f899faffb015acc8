/**
 * Keeps the user's input from before React: a search that is begun, an order that is chosen, and the focus.
 * Call this before React renders, and the returned function after that.
 */
export function takeOverFirstScreen(): () => void {
  const begun = [...document.querySelectorAll<HTMLInputElement>('input[type=search]')].find(
    ({ value }) => value !== '',
  );
  // The catalogue's search and order are in its address; on another screen React gets the search in its field.
  const isCatalogue = location.pathname === '/';
  const sort = document.querySelector<HTMLSelectElement>('select[name=sort]')?.value;
  if ((begun || sort) && isCatalogue) {
    const params = { ...(begun && { q: begun.value }), ...(sort && { sort }) };
    history.pushState(null, '', `/?${new URLSearchParams(params)}`);
  }
  const findAgain = finderOf(document.activeElement);
  return () => {
    if (begun && !isCatalogue) typeInto(begun.id, begun.value);
    findAgain()?.focus({ preventScroll: true });
  };
}

/** The elements of a card that can have the focus: the link, the heart and the button. */
const CARD_CONTROLS = ['a', '[aria-pressed]', 'button:not([aria-pressed])'];

/** Returns a function that finds the same element in React's markup: by product, or by tag, index and text. */
function finderOf(element: Element | null): () => HTMLElement | null {
  const product = element?.closest<HTMLElement>('[data-product]')?.dataset['product'];
  if (!element || element === document.body) return () => null;
  if (product !== undefined) {
    const control = CARD_CONTROLS.find((selector) => element.matches(selector)) ?? 'a';
    return () => document.querySelector(`[data-product="${product}"] ${control}`);
  }
  const sameTag = () => [...document.querySelectorAll<HTMLElement>(element.tagName)];
  const index = sameTag().findIndex((other) => other === element);
  return () => {
    const candidate = sameTag()[index];
    return candidate?.textContent === element.textContent ? candidate : null;
  };
}

function typeInto(id: string, text: string): void {
  const field = document.getElementById(id);
  if (!(field instanceof HTMLInputElement)) return;
  // React would not notice an assignment to `value`.
  field.setRangeText(text, 0, field.value.length, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
