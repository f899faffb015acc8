/** An object from outside, whose fields may hold anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns a value's fields by name; an empty object for a value that is no object. */
export function fieldsOf(value: unknown): Fields {
  const isObject = typeof value === 'object' && value !== null;
  return isObject ? (value as Fields) : {}; // any object may be read by name
}

/** Parses each value of an array; null if `values` is no array, or if `parse` returns null for a value. */
export function parseEach<T extends object>(
  values: unknown,
  parse: (value: unknown) => T | null,
): T[] | null {
  if (!Array.isArray(values)) return null;
  const parsed = values.map((value: unknown) => parse(value));
  return parsed.every((value) => value !== null) ? parsed : null;
}

/** The value of a JSON text; null if there is no text or it is not JSON. */
export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null') as unknown;
  } catch {
    return null;
  }
}

/** An id as Postgres writes one: lower case. */
export function isUuid(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/.test(value)
  );
}

/** Parses a time as PostgREST or as Postgres itself writes it, `2026-11-21 12:00:00+00`; null for none. */
export function isoTime(value: unknown): string | null {
  const text = String(value)
    .replace(' ', 'T')
    .replace(/([+-]\d\d)$/, '$1:00');
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** A text or number from outside as text; '' for anything else, because `String` throws for some objects. */
export function plainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
