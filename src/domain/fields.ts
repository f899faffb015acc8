/** An object from outside; nothing in it is certain. */
export type Fields = Readonly<Record<string, unknown>>;

/** Lets anything be read by name; what is no object has no fields. */
export function fieldsOf(value: unknown): Fields {
  const isObject = typeof value === 'object' && value !== null;
  return isObject ? (value as Fields) : {}; // any object may be read by name
}
