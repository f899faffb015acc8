import { connection } from '../db/connection.ts';

/**
 * Whether a reload of this tab would disturb the user: their data are in this tab's memory only, they have unsaved
 * text in a form, are typing, wait for a request, or are on the import page. The checkout's form is stored on the device, and a search of the
 * catalogue is in its address, so neither counts.
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
  // In the checkout's fields, which React controls, both values are always equal.
  return field.value !== field.defaultValue;
}
