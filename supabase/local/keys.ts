/**
 * The publishable key of every embedded backend. It is public by design (it only names the role
 * `anon`), so a constant lets the built site know it without asking.
 */
export const LOCAL_PUBLISHABLE_KEY = 'sb_publishable_weft_local_shop';
