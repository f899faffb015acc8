/** Key of the session in the table `session`; auth-js stores its own notes under other keys. */
export const SESSION_KEY = 'weft-session';
