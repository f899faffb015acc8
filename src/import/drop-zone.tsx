import { useEffect, useId, useState } from 'react';
import { MAX_FILE_BYTES, MAX_ROWS } from '../csv/columns.ts';
import { formatCount } from '../domain/count.ts';
import controls from './controls.module.css';
import styles from './drop-zone.module.css';
import { sizeOf } from './words.ts';

interface DropZoneProps {
  readonly file: File | null;
  readonly isDisabled: boolean;
  readonly onChoose: (file: File) => void;
}

/** Takes a file that the user picks, or drops anywhere on the page. */
export function DropZone({ file, isDisabled, onChoose }: DropZoneProps) {
  const id = useId();
  const [isDraggedOver, setDraggedOver] = useState(false);

  useEffect(() => {
    // Prevented while disabled too, or the browser would leave the page to open the dropped file. Text that is
    // dragged into a field is the browser's.
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDraggedOver(!isDisabled);
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDraggedOver(false);
    };
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDraggedOver(false);
      const dropped = event.dataTransfer?.files[0];
      if (dropped && !isDisabled) onChoose(dropped);
    };
    const removing = new AbortController();
    const { signal } = removing;
    window.addEventListener('dragover', onDragOver, { signal });
    window.addEventListener('dragleave', onDragLeave, { signal });
    window.addEventListener('drop', onDrop, { signal });
    return () => removing.abort();
  }, [isDisabled, onChoose]);

  return (
    <div className={styles['zone']} data-over={isDraggedOver} data-chosen={file !== null}>
      {file ? (
        <p>
          <bdi className={controls['name']}>{file.name}</bdi>
          <span className={styles['size']}>{` ${sizeOf(file.size)}`}</span>
        </p>
      ) : (
        <p className={styles['lead']}>Drop a CSV file here, or pick one.</p>
      )}
      <input
        id={id}
        className="visually-hidden"
        type="file"
        accept=".csv"
        disabled={isDisabled}
        {...(file ? {} : { 'aria-describedby': `${id}-limits` })}
        onChange={({ currentTarget }) => {
          const picked = currentTarget.files?.[0];
          // Otherwise the user could not pick the same file again after correcting it.
          currentTarget.value = '';
          if (picked) onChoose(picked);
        }}
      />
      <label htmlFor={id} className={controls['pick']}>
        {file ? 'Choose a different file' : 'Choose a CSV file'}
      </label>
      {!file && (
        <p id={`${id}-limits`} className={styles['promise']}>
          {LIMITS}
        </p>
      )}
    </div>
  );
}

const LIMITS =
  `Up to ${formatCount(MAX_FILE_BYTES / 1024 / 1024)} MB and ${formatCount(MAX_ROWS)} rows. We check files ` +
  'on this device and send nothing until you start the import.';

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}
