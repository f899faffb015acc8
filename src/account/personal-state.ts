import { forgetJobsOf, openImportJobs } from '../db/import-jobs.ts';
import { forgetReceived } from '../db/received-file.ts';
import { shopperStore } from '../db/shopper-store.ts';
import { dismissNotice, noticeStore } from '../ui/notices.ts';
import { endRecovery } from './recovery.ts';

/**
 * Takes away what belonged to a shopper who has logged out or signed in as another, here or in another tab:
 * from this tab an Undo that names what they removed and the leave to choose a new password, from the
 * device the files of their imports and the file that another app has shared.
 */
export function forgetStateOfOthers(): void {
  let last = shopperStore.snapshot()?.shopper.uid;
  shopperStore.subscribe(() => {
    const shopper = shopperStore.snapshot();
    const uid = noticeStore.snapshot()?.action?.uid;
    if (uid !== undefined && uid !== (shopper?.shopper.uid ?? null)) dismissNotice();
    if (shopper === null) endRecovery();
    if (last !== undefined && last !== shopper?.shopper.uid) void forgetFilesOf(last);
    last = shopper?.shopper.uid;
  });
}

/** What a failing storage keeps, the import's page deletes after two weeks. */
async function forgetFilesOf(uid: string): Promise<void> {
  await forgetReceived();
  const jobs = await openImportJobs();
  if (jobs) await forgetJobsOf(jobs, uid).catch(() => undefined);
}
