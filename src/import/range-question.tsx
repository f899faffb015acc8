import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import type { ImportSession } from './session.ts';
import type { Run } from './session-state.ts';
import { countOf, numberOf } from './words.ts';

/** Asks the user before a file of the whole range takes more than a tenth of the shop off sale. */
export function RangeQuestion({
  session,
  run,
}: {
  readonly session: ImportSession;
  readonly run: Run;
}) {
  const leaving = run.kind === 'sending' ? run.leaving : null;
  return (
    <ConfirmDialog
      isOpen={leaving !== null}
      heading="Take these products off sale?"
      no="Leave them on sale"
      yes={leaving === null ? '' : `Take ${countOf(leaving.count, 'product')} off sale`}
      onAnswer={session.answer}
    >
      {leaving &&
        `The file lacks ${numberOf(leaving.count)} of ${countOf(leaving.of, 'product')} on sale. ` +
          'Its rows are imported already. Undo brings back what goes off sale.'}
    </ConfirmDialog>
  );
}
