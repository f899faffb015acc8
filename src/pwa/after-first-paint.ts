import { askForReplays } from './background-sync.ts';
import { inviteToInstall } from './invitation.ts';
import { keepPictures } from './keep-pictures.ts';
import { followVersions } from './versions.ts';

/** Starts what can wait until the shop is on screen, such as the service worker and the invitation. */
export function startAfterFirstPaint(): void {
  inviteToInstall();
  if (import.meta.env.DEV) return;
  if (!('serviceWorker' in navigator)) return;
  askForReplays();
  // Reads `controller` now: on a first visit the worker may control the page later.
  void keepPictures(navigator.serviceWorker.controller === null).catch(() => undefined);
  void followVersions().catch(() => undefined);
}
