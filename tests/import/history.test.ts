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

/** A history whose requests the test answers. */
function openHistory() {
  const requests: ((answer: Answer<ImportOverview>) => void)[] = [];
  const remote = { overview: () => new Promise((resolve) => requests.push(resolve)) };
  const history = createHistory({
    uid: 'ada',
    remote: remote as unknown as ImportsRemote,
    onChanged: () => undefined,
  });
  const answer = (request: number, role: string) =>
    requests[request]?.({ ok: true, value: overview(role) });
  return { history, answer };
}

test('the answer to an earlier request is ignored once a later one was answered', async () => {
  const { history, answer } = openHistory();
  const refreshes = [history.refresh(), history.refresh()];
  answer(1, 'new');
  answer(0, 'old');
  await Promise.all(refreshes);
  expect(history.snapshot().overview?.requiredRole).toBe('new');
});

test('after an import no import can be undone until the shop has said which is the last', async () => {
  const { history, answer } = openHistory();
  const before = history.refresh();
  const after = history.refreshAfterImport();
  answer(0, 'before the import');
  await before;
  expect(history.snapshot()).toMatchObject({ isOutdated: true, overview: null });
  answer(1, 'after it');
  await after;
  expect(history.snapshot()).toMatchObject({
    isOutdated: false,
    overview: { requiredRole: 'after it' },
  });
});
