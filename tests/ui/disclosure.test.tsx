/** The keys that close a panel. */
import type { KeyboardEvent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { useDisclosure } from '../../src/ui/disclosure.ts';

/** Presses Escape in an open panel. Returns whether the button has got the focus, as when the panel closes. */
function pressEscape({ isComposing = false, keyCode = 27 }): boolean {
  const disclosures: ReturnType<typeof useDisclosure>[] = [];
  function Panel() {
    const disclosure = useDisclosure();
    if (!disclosure.isOpen) disclosure.button.onClick();
    disclosures.push(disclosure);
    return null;
  }
  renderToStaticMarkup(<Panel />);
  const focus = vi.fn();
  const { isOpen, root, button } = disclosures.at(-1)!;
  expect(isOpen).toBe(true);
  button.ref.current = { focus } as unknown as HTMLButtonElement;
  root.onKeyDown({ key: 'Escape', keyCode, nativeEvent: { isComposing } } as KeyboardEvent);
  return focus.mock.calls.length > 0;
}

test('Escape closes a panel, except where it ends the composition of an input method', () => {
  expect(pressEscape({})).toBe(true);
  expect(pressEscape({ isComposing: true })).toBe(false);
  // Safari: the composition has ended, and the key code is that of a key which an input method has taken.
  expect(pressEscape({ keyCode: 229 })).toBe(false);
});
