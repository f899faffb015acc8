import { askForReplays } from './background-sync.ts';
import { showBadge } from './badge.ts';
import { inviteToInstall } from './invitation.ts';
import { followVersions } from './versions.ts';

/** Starts everything that can wait until the shop is on screen. */
export function startAfterFirstPaint(): void {
  showBadge();
  inviteToInstall();
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  askForReplays();
  void followVersions().catch(() => undefined);
}
