/**
 * What was tapped on a screen that stands there before React does: the names of its buttons. React
 * draws buttons of the same names in their place, and the taps are done then.
 */
const taps: string[] = [];

/** Notes what is tapped, until `repeatTaps`. */
export function noteTaps(): void {
  document.addEventListener('click', note);
}

/** Call when React has drawn. */
export function repeatTaps(): void {
  document.removeEventListener('click', note);
  for (const name of taps.splice(0)) {
    document.querySelector<HTMLElement>(`button[aria-label="${CSS.escape(name)}"]`)?.click();
  }
}

function note({ target }: MouseEvent): void {
  const name = target instanceof Element && target.closest('button')?.ariaLabel;
  if (name) taps.push(name);
}
