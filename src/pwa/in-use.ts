/**
 * Whether loading this tab anew would take something from whoever uses it: words in a form that are
 * kept nowhere, the place one is typing at, a request under way, an import. What the checkout's
 * form holds is kept on the device, and a search on the catalogue in its address.
 */
export function isInUse(): boolean {
  return (
    location.pathname.startsWith('/admin/import') ||
    // A form's button that is at work.
    document.querySelector('form .button[aria-disabled="true"]') !== null ||
    [...document.querySelectorAll<HTMLInputElement>(TEXT)].some(isUnkept) ||
    (document.hasFocus() && document.activeElement?.matches(TEXT) === true)
  );
}

const TEXT = 'textarea, input:not([type=checkbox], [type=radio], [type=file])';

function isUnkept(field: HTMLInputElement): boolean {
  if (field.type === 'search') return field.value !== '' && location.pathname !== '/';
  // React keeps both equal in the fields whose text it holds: those of the checkout.
  return field.value !== field.defaultValue;
}
