import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';

export interface Disclosure {
  readonly isOpen: boolean;
  readonly close: () => void;
  /** Attributes for the element that holds both the button and the panel. */
  readonly root: {
    readonly ref: RefObject<HTMLDivElement | null>;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
  readonly button: {
    readonly ref: RefObject<HTMLButtonElement | null>;
    readonly 'aria-expanded': boolean;
    readonly 'aria-controls': string;
    readonly onClick: () => void;
  };
  readonly panelId: string;
}

/**
 * A button that shows and hides a panel. Escape closes the panel and moves the focus back to the
 * button; a press or focus outside closes it too. Source: WAI-ARIA Authoring Practices, "Disclosure
 * Navigation".
 */
export function useDisclosure(): Disclosure {
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
    root: {
      ref: root,
      onKeyDown(event) {
        if (event.key !== 'Escape' || !isOpen) return;
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
