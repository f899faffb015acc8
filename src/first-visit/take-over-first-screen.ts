/**
 * Puts React's screen in the place of the one from before React.
 *
 * @returns a function that gives the user's input to React's screen: a search that is begun, a sorting that is
 * chosen, and the focus. Call it in the same task, once React handles events.
 */
export function takeOverFirstScreen(before: HTMLElement, drawn: HTMLElement): () => void {
  const begun = [...before.querySelectorAll<HTMLInputElement>('input[type=search]')].find(
    ({ value }) => value !== '',
  );
  const sort = before.querySelector<HTMLSelectElement>('select[name=sort]')?.value;
  const findAgain = finderOf(document.activeElement);
  before.replaceWith(drawn);
  return () => {
    if (begun) typeInto(begun.id, begun.value);
    if (sort) choose(sort);
    findAgain()?.focus({ preventScroll: true });
  };
}

/** The elements of a card that can have the focus: the link, the heart and the button. */
const CARD_CONTROLS = ['a', '[aria-pressed]', 'button:not([aria-pressed])'];

/**
 * Returns a function that finds the same element in React's markup. It looks by product on a card, elsewhere by tag,
 * text, and the place among elements of the same tag and text.
 */
function finderOf(element: Element | null): () => HTMLElement | null {
  const product = element?.closest<HTMLElement>('[data-product]')?.dataset['product'];
  if (!element || element === document.body) return () => null;
  if (product !== undefined) {
    const control = CARD_CONTROLS.find((selector) => element.matches(selector)) ?? 'a';
    return () => document.querySelector(`[data-product="${product}"] ${control}`);
  }
  const alike = () =>
    [...document.querySelectorAll<HTMLElement>(element.tagName)].filter(
      ({ textContent }) => textContent === element.textContent,
    );
  const index = alike().findIndex((other) => other === element);
  return () => alike()[index] ?? null;
}

function typeInto(id: string, text: string): void {
  const field = document.getElementById(id);
  if (!(field instanceof HTMLInputElement)) return;
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

function choose(sort: string): void {
  const field = document.querySelector<HTMLSelectElement>('select[name=sort]');
  if (!field) return;
  field.value = sort;
  field.dispatchEvent(new Event('change', { bubbles: true }));
}
