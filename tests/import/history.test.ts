/** What the import page shows of the last imports, by the server's answers. */
import { expect, test } from 'vitest';
import type { Answer } from '../../src/domain/failure.ts';
import { createHistory } from '../../src/import/history.ts';
import type { ImportOverview, ImportsRemote } from '../../src/remote/imports.ts';

const overview = (requiredRole: string): ImportOverview => ({
  requiredRole,
  mayImport: false,
  last: null,
  earlier: [],
});

test('an answer that comes after that to a later request is out of date', async () => {
  const requests: ((answer: Answer<ImportOverview>) => void)[] = [];
  const remote = { overview: () => new Promise((resolve) => requests.push(resolve)) };
  const history = createHistory({
    uid: 'ada',
    remote: remote as unknown as ImportsRemote,
    onChanged: () => undefined,
  });
  const refreshes = [history.refresh(), history.refresh()];
  requests[1]?.({ ok: true, value: overview('new') });
  requests[0]?.({ ok: true, value: overview('old') });
  await Promise.all(refreshes);
  expect(history.snapshot().overview?.requiredRole).toBe('new');
});
