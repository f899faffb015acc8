import { connection } from '../db/connection.ts';
import { forgetJobsOf, openImportJobs } from '../db/import-jobs.ts';
import { forgetReceived } from '../db/received-file.ts';
import { shopperStore } from '../db/shopper-store.ts';
import { dismissNotice, noticeStore } from '../ui/notices.ts';
import { matchesKey } from './personal-keys.ts';
import { endRecovery } from './recovery.ts';

/**
 * Takes away what belonged to a shopper who has logged out or signed in as another, here or in another tab:
 * from this tab an Undo that names what they removed and the leave to choose a new password, from the
 * device the files of their imports, what these have taught it of columns, and the file that another app
 * has shared.
 */
export function forgetStateOfOthers(): void {
  let last = uidAndPlace();
  shopperStore.subscribe(() => {
    const now = uidAndPlace();
    const uid = noticeStore.snapshot()?.action?.uid;
    if (uid !== undefined && uid !== (now.uid ?? null)) dismissNotice();
    if (shopperStore.snapshot() === null) endRecovery();
    // A page that goes on in memory, because the storage fails, shows nobody; nobody has logged out.
    const isSamePlace = now.place === last.place;
    if (isSamePlace && last.uid !== undefined && last.uid !== now.uid) void forgetFilesOf(last.uid);
    last = now;
  });
}

/** Who is signed in, and where the page has it from. */
function uidAndPlace() {
  return { uid: shopperStore.snapshot()?.shopper.uid, place: connection.kept };
}

/** What a failing storage keeps, the import's page deletes after two weeks. */
async function forgetFilesOf(uid: string): Promise<void> {
  matchesKey.clear();
  await forgetReceived();
  const jobs = await openImportJobs();
  if (jobs) await forgetJobsOf(jobs, uid).catch(() => undefined);
}
