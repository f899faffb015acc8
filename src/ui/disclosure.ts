import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';

/**
 * A button that shows and hides a panel. Escape closes the panel and moves the focus back to the
 * button; a press or focus outside closes it too. Source: WAI-ARIA Authoring Practices, "Disclosure
 * Navigation".
 */
export function useDisclosure() {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panelId = useId();

  useEffect(() => {
    if (!isOpen) return undefined;
    const closeIfElsewhere = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeIfElsewhere);
    document.addEventListener('focusin', closeIfElsewhere);
    return () => {
      document.removeEventListener('pointerdown', closeIfElsewhere);
      document.removeEventListener('focusin', closeIfElsewhere);
    };
  }, [isOpen]);

  return {
    isOpen,
    close: () => setOpen(false),
    /** For an entry that opens a dialog. The dialog later gives the focus back to the button, not to the hidden entry. */
    closeForDialog: () => {
      setOpen(false);
      button.current?.focus();
    },
    /** Attributes for the element that holds both the button and the panel. */
    root: {
      ref: root,
      onKeyDown(event: KeyboardEvent) {
        // In a panel's text field, Escape may only end the composition of an input method. Safari says so by the
        // key code: there the composition has ended before the key goes down (WebKit bug 165004).
        const isOfInputMethod = event.nativeEvent.isComposing || event.keyCode === 229;
        if (event.key !== 'Escape' || isOfInputMethod || !isOpen) return;
        setOpen(false);
        button.current?.focus();
      },
    },
    button: {
      ref: button,
      'aria-expanded': isOpen,
      'aria-controls': panelId,
      onClick: () => setOpen(!isOpen),
    },
    panelId,
  };
}
