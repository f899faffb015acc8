import type { ComponentProps } from 'react';

export const START_BUTTON_ID = 'start-import';

/**
 * A ref for an element that React may remove while it has the focus. The button Start Import then gets
 * the focus; otherwise a keyboard user would have to begin at the top of the page again. React calls the
 * returned function just before it removes the element.
 *
 * @param element null in the type only: React passes null only to refs that return nothing
 */
function passFocusToStart(element: HTMLElement | null): () => void {
  return () => {
    if (element !== document.activeElement) return;
    document.getElementById(START_BUTTON_ID)?.focus({ preventScroll: true });
  };
}

/** A button that React may remove while it has the focus; Start Import then gets the focus. */
export function TransientButton({ className = 'quiet', ...props }: ComponentProps<'button'>) {
  return <button ref={passFocusToStart} type="button" className={className} {...props} />;
}
