/** The dialogs in which shoppers export their data and delete their account. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { download } from '../browser/download.ts';
import type { ShopperRow } from '../db/database.ts';
import { notify } from '../ui/notices.ts';
import { shopFile } from '../ui/shop-file.ts';
import { useForm } from './use-form.ts';
import { checkCurrentPassword } from './checks.ts';
import { HiddenUsername, PasswordField } from './fields.tsx';
import { AccountForm } from './form.tsx';
import styles from './own-data.module.css';

const FILE = shopFile('my-data.json');

interface DialogProps {
  readonly shopper: ShopperRow;
  readonly onClose: () => void;
}

export function ExportDialog({ shopper: { uid }, onClose }: DialogProps) {
  const isOpen = useRef(true);
  const form = useForm({
    check: () => ({}),
    send: (mutations) => mutations.exportOwnData(uid),
    onDone(text) {
      // The user has pressed Cancel before the answer came.
      if (!isOpen.current) return;
      download(FILE, new Blob([text], { type: 'application/json' }));
      onClose();
      notify('status', `We saved your data as ${FILE}. Look in your downloads.`);
    },
  });
  return (
    <DataDialog
      heading="Export my data"
      onClose={() => {
        isOpen.current = false;
        onClose();
      }}
    >
      <p>Download a copy of your data: account, cart, favourites, orders and imports.</p>
      <AccountForm
        form={form}
        failureHeading="Export Failed"
        label="Export"
        busyLabel="Exporting..."
        doing="export your data"
      />
    </DataDialog>
  );
}

export function DeletionDialog({ shopper: { uid, email }, onClose }: DialogProps) {
  const navigate = useNavigate();
  const form = useForm({
    check: checkCurrentPassword,
    send: (mutations, { password = '' }) => mutations.deleteAccount(uid, password),
    onDone: () => void navigate('/'),
  });
  return (
    <DataDialog heading="Delete my account" onClose={onClose} isFinal={form.isBusy}>
      <p>
        This permanently deletes your account, cart, favourites and unsaved changes on your devices.
        We keep records of paid orders where the law requires it.
      </p>
      <AccountForm
        form={form}
        failureHeading="Couldn’t Delete Your Account"
        label="Delete for good"
        busyLabel="Deleting..."
        doing="delete your account"
      >
        <HiddenUsername email={email} />
        <PasswordField fault={form.faults['password']} />
      </AccountForm>
    </DataDialog>
  );
}

interface DataDialogProps {
  readonly heading: string;
  readonly onClose: () => void;
  /** Whether it is too late to cancel: the shop may be doing already what was asked. */
  readonly isFinal?: boolean;
  readonly children: ReactNode;
}

function DataDialog({ heading, onClose, isFinal = false, children }: DataDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={styles['dialog']}
      onClose={onClose}
      // Escape, or Android's Back.
      onCancel={(event) => {
        if (isFinal) event.preventDefault();
      }}
    >
      <h2 id={id}>{heading}</h2>
      {children}
      <button
        type="button"
        className="quiet"
        aria-disabled={isFinal}
        onClick={() => {
          if (!isFinal) dialog.current?.close();
        }}
      >
        Cancel
      </button>
    </dialog>
  );
}
