import { notify } from '../ui/notices.ts';
import { printDetails } from './console.ts';
import type { ImportSession } from './session.ts';
import { templateCsv } from './template.ts';

/** Saves the report of the last check as a file, for the user to correct and import again. */
export function saveReport(session: ImportSession): Promise<void> {
  return makeAndDownload('import-report.csv', () => session.worker.report());
}

export function saveExport(session: ImportSession): Promise<void> {
  return makeAndDownload('catalogue.csv', () => session.worker.exportCatalogue());
}

export function saveTemplate(): void {
  download('template.csv', new Blob([templateCsv()], { type: 'text/csv;charset=utf-8' }));
}

async function makeAndDownload(name: string, make: () => Promise<Blob>): Promise<void> {
  try {
    download(name, await make());
  } catch (thrown) {
    printDetails(`${name} could not be made:`, thrown);
    notify('alert', 'The file could not be made. Check the console of the browser for details.');
  }
}

function download(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Not at once, because the browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
