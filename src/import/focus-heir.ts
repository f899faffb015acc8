export const START_BUTTON = 'start-import';

/**
 * A ref for what may go away while it has the focus: Start Import gets it then, for a keyboard would
 * begin at the top of the page again. React calls what this returns just before it removes the
 * element.
 *
 * @param element never null: React hands that only to refs that return nothing
 */
export function leavesFocusToStart(element: HTMLElement | null): () => void {
  return () => {
    if (element === null || element !== document.activeElement) return;
    document.getElementById(START_BUTTON)?.focus({ preventScroll: true });
  };
}
