/* What pages, the service worker and the platform tell each other. */

/** To a waiting worker: the shopper agrees that its version takes over. */
export const CONSENT = 'weft-consent';

/** To a page: the network is back, and what waits should be sent. */
export const REPLAY = 'weft-replay';

/** From the platform: the same, under the name that it was asked with (Background Sync's tag). */
export const REPLAY_TAG = 'weft-outbox';
