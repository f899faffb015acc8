/** The changes that a channel wants: `postgres_changes` with event, schema, table and filter. */
import type { PublishedTable, RowChange } from './realtime-changes.ts';
import { fieldsOf } from './realtime-frames.ts';

export interface Binding {
  readonly id: number;
  /** As the client sent it; the server's answer repeats it, because the client compares the two. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly fits: (change: RowChange) => boolean;
  /** The published tables that match; an empty list is a mistake of the client. */
  readonly tables: readonly PublishedTable[];
}

const OPERATORS: Readonly<Record<string, (value: string, operand: string) => boolean>> = {
  eq: (value, operand) => value === operand,
  neq: (value, operand) => value !== operand,
  in: (value, operand) =>
    operand
      .replace(/^\(|\)$/g, '')
      .split(',')
      .includes(value),
};

let lastId = 0;

/** @param published the tables whose changes can be received */
export function bindingOf(asked: unknown, published: readonly PublishedTable[]): Binding {
  const fields = fieldsOf(asked);
  const { event, schema, table, filter } = fields;
  const wants = (asked: unknown, actual: string) => asked === '*' || asked === actual;
  const passes = filterOf(filter);
  const tables = published.filter(
    (one) =>
      wants(schema, one.schema) &&
      wants(table ?? '*', one.table) &&
      (passes?.column === undefined || one.columns.some(({ name }) => name === passes.column)),
  );
  lastId += 1;
  return {
    id: lastId,
    asked: fields,
    tables: passes === undefined ? [] : tables,
    fits: (change) =>
      passes !== undefined &&
      wants(typeof event === 'string' ? event.toUpperCase() : event, change.type) &&
      tables.some((one) => one.schema === change.schema && one.table === change.table) &&
      passes.test(change.record ?? change.old_record ?? {}),
  };
}

interface Filter {
  readonly column?: string;
  test(values: Readonly<Record<string, unknown>>): boolean;
}

/** Parses `column=operator.operand`; undefined for an unsupported filter. */
function filterOf(filter: unknown): Filter | undefined {
  if (filter === undefined || filter === null || filter === '') return { test: () => true };
  const [, column, name = '', operand = ''] =
    /^(\w+)=(\w+)\.(.*)$/s.exec(typeof filter === 'string' ? filter : '') ?? [];
  const compare = OPERATORS[name];
  if (column === undefined || compare === undefined) return undefined;
  return { column, test: (values) => compare(String(values[column]), operand) };
}
