/** What a channel subscribes to: `postgres_changes` with event, schema, table and filter. */
import type { PublishedTable, RowChange } from './realtime-changes.ts';
import { fieldsOf } from '../../src/domain/fields.ts';

export interface Binding {
  readonly id: number;
  /** As the client sent it; the server's answer repeats it, because the client compares the two. */
  readonly requested: Readonly<Record<string, unknown>>;
  /** Whether the client is to receive a change. */
  readonly matches: (change: RowChange) => boolean;
  /** The published tables that match; an empty list is a mistake of the client. */
  readonly tables: readonly PublishedTable[];
}

let lastId = 0;

/** @param published the tables whose changes can be received */
export function bindingOf(request: unknown, published: readonly PublishedTable[]): Binding {
  const requested = fieldsOf(request);
  const { event, schema, table } = requested;
  const isWanted = (wanted: unknown, actual: string) => wanted === '*' || wanted === actual;
  const filter = parseFilter(requested['filter']);
  const tables = published.filter(
    (candidate) =>
      isWanted(schema, candidate.schema) &&
      isWanted(table ?? '*', candidate.table) &&
      (filter?.column === undefined ||
        candidate.columns.some(({ name }) => name === filter.column)),
  );
  lastId += 1;
  return {
    id: lastId,
    requested,
    tables: filter === undefined ? [] : tables,
    matches: (change) =>
      filter !== undefined &&
      isWanted(typeof event === 'string' ? event.toUpperCase() : event, change.type) &&
      tables.some((candidate) => isTableOf(change, candidate)) &&
      filter.test(change.record ?? change.old_record ?? {}),
  };
}

/** Whether a change is of a row in this table. */
export function isTableOf(change: RowChange, { schema, table }: PublishedTable): boolean {
  return schema === change.schema && table === change.table;
}

interface Filter {
  readonly column?: string;
  test(values: Readonly<Record<string, unknown>>): boolean;
}

/** Parses `column=eq.operand`; undefined for another filter, which no page uses. */
function parseFilter(filter: unknown): Filter | undefined {
  if (filter === undefined || filter === null || filter === '') return { test: () => true };
  const [, column, operand] =
    /^(\w+)=eq\.(.*)$/s.exec(typeof filter === 'string' ? filter : '') ?? [];
  if (column === undefined) return undefined;
  return { column, test: (values) => String(values[column]) === operand };
}
