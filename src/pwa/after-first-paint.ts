import { askForReplays } from './background-sync.ts';
import { inviteToInstall } from './invitation.ts';
import { keepPictures } from './keep-pictures.ts';
import { followVersions } from './versions.ts';

/** Starts what can wait until the shop is on screen: the invitation to install, and all of the service worker. */
export function startAfterFirstPaint(): void {
  inviteToInstall();
  if (import.meta.env.DEV) return;
  if (!('serviceWorker' in navigator)) return;
  // These two wait for the worker, which `followVersions` registers.
  askForReplays();
  // Read now, because on a first visit the worker may control the page later.
  const isFirstVisit = navigator.serviceWorker.controller === null;
  void keepPictures(isFirstVisit).catch(() => undefined);
  void followVersions(isFirstVisit).catch(() => undefined);
}
