import { focusHeading } from '../ui/page-title.tsx';

/**
 * Moves the focus to the same control of a neighbouring item of the list, or to the heading. Call it before the
 * control's own item is removed.
 *
 * @param selector finds the control in an item
 */
export function focusNeighbour(control: HTMLElement, selector: string): void {
  const item = control.closest('li');
  const other = item?.nextElementSibling ?? item?.previousElementSibling;
  const target = other?.querySelector<HTMLElement>(selector);
  if (target) target.focus();
  else focusHeading();
}
