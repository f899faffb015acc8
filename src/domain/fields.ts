/** An object from outside, whose fields may hold anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns a value's fields by name; an empty object for a value that is no object. */
export function fieldsOf(value: unknown): Fields {
  const isObject = typeof value === 'object' && value !== null;
  return isObject ? (value as Fields) : {}; // any object may be read by name
}

/** An id as Postgres writes one: lower case. */
export function isUuid(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/.test(value)
  );
}

/** A text or number from outside as text; '' for anything else, because `String` throws for some objects. */
export function plainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
