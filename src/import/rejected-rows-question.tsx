import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import type { ImportSession } from './session.ts';
import { hasManyRejected, type Run } from './session-state.ts';
import { countOf } from './words.ts';

interface RejectedRowsQuestionProps {
  readonly session: ImportSession;
  readonly run: Run;
  readonly isStrict: boolean;
}

/** Asks the user before an import that leaves rejected rows out. */
export function RejectedRowsQuestion({ session, run, isStrict }: RejectedRowsQuestionProps) {
  const check = run.kind === 'asking' && run.about === 'rejected-rows' ? run.check : null;
  const stored = check === null ? 0 : check.added + check.changed + check.unchanged;
  const replaced = check?.replaced ?? 0;
  const isMany = check !== null && hasManyRejected(check);
  return (
    <ConfirmDialog
      isOpen={check !== null}
      heading={isStrict ? 'Import without the refused rows?' : 'Is this the right file?'}
      no="Do not import"
      yes={`Import the other ${countOf(stored, 'row')}`}
      onAnswer={session.answer}
    >
      {isMany && check !== null
        ? `Of the first ${countOf(check.early.rows, 'row')}, ${countOf(check.early.rejected, 'row')} cannot be imported. `
        : ''}
      {countOf(check?.rejected ?? 0, 'row')} of {countOf(check?.rows ?? 0, 'row')} would be left out
      {replaced > 0 && `, and ${countOf(replaced, 'row')} replaced by later ones`}. Nothing has been
      sent yet.
    </ConfirmDialog>
  );
}
