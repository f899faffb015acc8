/** An object from outside, whose fields may hold anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns a value's fields by name; an empty object for a value that is no object. */
export function fieldsOf(value: unknown): Fields {
  const isObject = typeof value === 'object' && value !== null;
  return isObject ? (value as Fields) : {}; // any object may be read by name
}
