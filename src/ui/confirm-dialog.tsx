import { type ReactNode, useEffect, useId, useRef } from 'react';

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly heading: string;
  /** The label of the safe answer, which Escape gives too. */
  readonly no: string;
  readonly yes: string;
  readonly onAnswer: (isYes: boolean) => void;
  readonly children: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, heading, no, yes, onAnswer, children } = props;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open === isOpen) return;
    element.returnValue = ''; // otherwise Escape would give the last answer again
    if (isOpen) element.showModal();
    else element.close();
  }, [isOpen]);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
      onClose={({ currentTarget }) => {
        // When the parent closes the dialog, nobody has answered.
        if (isOpen) onAnswer(currentTarget.returnValue === 'yes');
      }}
    >
      {/* The browser closes the dialog and sets `returnValue` to the pressed button's value. */}
      <form method="dialog">
        <h2 id={id}>{heading}</h2>
        <div id={`${id}-text`}>{children}</div>
        <div className="choice">
          <button type="submit" className="button" value="no">
            {no}
          </button>
          <button type="submit" className="quiet" value="yes">
            {yes}
          </button>
        </div>
      </form>
    </dialog>
  );
}
