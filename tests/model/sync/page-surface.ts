/** The modules of the shop's page that the simulator calls. Each tab has its own copy of them. */
export { startServices } from '../../../src/services.ts';
export { fillStores } from '../../../src/db/first-read.ts';
export { connection } from '../../../src/db/connection.ts';
export { enqueue, onWait } from '../../../src/db/enqueue.ts';
export { readShopperState } from '../../../src/db/shopper-data.ts';
export { shopperStore } from '../../../src/db/shopper-store.ts';
export { catalogueStore } from '../../../src/db/catalogue-store.ts';
export { addToCart, changeQuantity, clearCart, removeLine } from '../../../src/cart/mutations.ts';
export { setFavourite } from '../../../src/favourites/mutations.ts';
export { logOut, signIn } from '../../../src/account/mutations.ts';
export { sendWithDeferred } from '../../../src/ui/deferred-change.ts';
export { announcementStore, dismissNotice, noticeStore } from '../../../src/ui/notices.ts';
export { announceWait } from '../../../src/ui/not-stored.ts';
