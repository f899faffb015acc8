/* Messages between pages, the service worker and the platform. */

/** From a page to a waiting worker: the shopper agrees that its version takes over. */
export const CONSENT = 'weft-consent';

/** From the worker to a page: the network is back, so the page should send the waiting changes. */
export const REPLAY = 'weft-replay';

/** From the platform to the worker: the network is back (Background Sync's tag). */
export const REPLAY_TAG = 'weft-outbox';
