/** TypeScript's libraries lack `saveData`. Source: wicg.github.io/savedata. */
interface WithSaveData {
  readonly connection?: { readonly saveData?: boolean };
}

/**
 * Whether the shop may load what the user has not asked for yet. Where the browser cannot say whether the user
 * saves data, the shop may from the second visit on.
 */
export function mayLoadAhead(isFirstVisit: boolean): boolean {
  const { connection }: Navigator & WithSaveData = navigator;
  return !(connection?.saveData ?? isFirstVisit);
}
