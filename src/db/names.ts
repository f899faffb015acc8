/** Names that Dexie's tables and the readings without Dexie share; phones keep data under them. */

/** The database's name, and the version of the tables that `database.ts` declares. */
export const DATABASE = { name: 'weft-shop', version: 1 } as const;

/** Key of the session in the table `session`; auth-js stores its own notes under other keys. */
export const SESSION_KEY = 'weft-session';
