export const START_BUTTON = 'start-import';

/**
 * A ref for an element that may go away while it has the focus: Start Import then gets the focus, so
 * that a keyboard user does not start at the top of the page again. React calls the returned function
 * just before it removes the element.
 *
 * @param element never null: React passes null only to refs that return nothing
 */
export function leavesFocusToStart(element: HTMLElement | null): () => void {
  return () => {
    if (element === null || element !== document.activeElement) return;
    document.getElementById(START_BUTTON)?.focus({ preventScroll: true });
  };
}
