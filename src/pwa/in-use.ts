import { connection } from '../db/connection.ts';

/**
 * Whether a reload of this tab would disturb the user: their data are in this tab's memory only, or they are on the
 * import page, wait for a request, have unsaved text in a form, or are typing. Fields whose draft is stored on the
 * device (`data-draft`) and a search of the catalogue, which is in its address, do not count.
 */
export function isInUse(): boolean {
  return (
    connection.kept === 'memory' ||
    location.pathname.startsWith('/admin/import') ||
    // The button of a form whose request is under way.
    document.querySelector('form .button[aria-disabled="true"]') !== null ||
    [...document.querySelectorAll<HTMLInputElement>(TEXT)].some(hasUnsavedText) ||
    (document.hasFocus() && document.activeElement?.matches(TEXT) === true)
  );
}

const TEXT = 'textarea, input:not([type=checkbox], [type=radio], [type=file])';

function hasUnsavedText(field: HTMLInputElement): boolean {
  if (field.type === 'search') return field.value !== '' && location.pathname !== '/';
  return field.value !== field.defaultValue && field.closest('[data-draft]') === null;
}
