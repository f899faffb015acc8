/** `1,212`. Not `Intl`: its first use alone costs a slow phone more time than a frame has. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** "1 row", "2,000 rows". */
export function countOf(count: number, singular: string): string {
  return `${formatCount(count)} ${singular}${count === 1 ? '' : 's'}`;
}
