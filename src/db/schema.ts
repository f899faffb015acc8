/** The database's name and the last of the versions that `database.ts` declares. */
export const DATABASE = { name: 'weft', version: 3 } as const;
