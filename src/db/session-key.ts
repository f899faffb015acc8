/** The name that the session is stored under in `session`; other keys are auth-js's own notes. */
export const SESSION_KEY = 'weft-session';
