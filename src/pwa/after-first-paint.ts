import { askForReplays } from './background-sync.ts';
import { showBadge } from './badge.ts';
import { inviteToInstall } from './invitation.ts';
import { keepPictures } from './keep-pictures.ts';
import { followVersions } from './versions.ts';

/** Starts what can wait until the shop is on screen, such as the service worker, the badge and the invitation. */
export function startAfterFirstPaint(): void {
  showBadge();
  inviteToInstall();
  if (import.meta.env.DEV) return;
  if (!('serviceWorker' in navigator)) return;
  askForReplays();
  // Reads `controller` now: on a first visit the worker may control the page later.
  void keepPictures(navigator.serviceWorker.controller === null).catch(() => undefined);
  void followVersions().catch(() => undefined);
}
