/**
 * Files that other apps send to the installed shop (web app manifest, `share_target`). Any site can post
 * to this path, too, so a file that arrives is only kept and offered by name.
 */
export const SHARE_PATH = '/admin/import/shared';
/** The name of the form's field. */
export const SHARE_FIELD = 'file';
/** The largest form. The service worker holds the whole form in memory while reading it. */
export const MAX_SHARED_BYTES = 300 * 1024 * 1024;

/**
 * The outcome of a post.
 *
 * - `kept`     the file is on this device
 * - `first`    the first of several files is on this device
 * - `large`    the form is larger than `MAX_SHARED_BYTES`
 * - `unkept`   this device has no room for the file, or cannot keep files
 * - `missed`   no file arrived, or no service worker was running to take the file
 */
export type ShareOutcome = 'kept' | 'first' | 'large' | 'unkept' | 'missed';

/** The parameter of the import page's address that names the outcome of a post. */
export const SHARE_PARAMETER = 'shared';

/** The address to which a post is redirected. */
export function sharedHref(outcome: ShareOutcome): string {
  return `/admin/import?${SHARE_PARAMETER}=${outcome}`;
}
