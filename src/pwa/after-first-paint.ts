import { askForReplays } from './background-sync.ts';
import { showBadge } from './badge.ts';
import { inviteToInstall } from './invitation.ts';
import { reportFaults } from './reports.ts';
import { followVersions } from './versions.ts';

/** Starts everything that can wait until the shop is on screen. */
export function startAfterFirstPaint(): void {
  showBadge();
  inviteToInstall();
  if (import.meta.env.DEV) return;
  reportFaults();
  if (!('serviceWorker' in navigator)) return;
  askForReplays();
  void followVersions().catch(() => undefined);
}
