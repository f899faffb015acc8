import { askForReplays } from './background-sync.ts';
import { showBadge } from './badge.ts';
import { inviteToInstall } from './invitation.ts';
import { followVersions } from './versions.ts';

/** All that may begin once the shop stands. */
export function startAfterFirstPaint(): void {
  showBadge();
  inviteToInstall();
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  askForReplays();
  void followVersions().catch(() => undefined);
}
