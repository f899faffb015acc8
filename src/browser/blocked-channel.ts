/**
 * Removes `BroadcastChannel` where the browser has it and forbids its use, as Firefox does when the user
 * blocks all cookies. Dexie opens a channel while it is loaded, and would fail to load. So this module must be
 * imported before Dexie.
 */
try {
  new BroadcastChannel('').close();
} catch {
  delete (globalThis as { BroadcastChannel?: unknown }).BroadcastChannel;
}
