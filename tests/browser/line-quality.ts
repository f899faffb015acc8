import type { Socket } from 'node:net';

/** How good a line is. */
export interface LineQuality {
  /** Shared by all connections, in each direction. */
  readonly bitsPerSecond: number;
  readonly roundTripMs: number;
  /** The share of packets that are lost, and sent again. */
  readonly loss: number;
}

/** What a phone at the edge of its cell has. */
export const WEAK_LINE: LineQuality = { bitsPerSecond: 400_000, roundTripMs: 400, loss: 0.02 };

const PACKET_BYTES = 1460;
/** A sender waits for acknowledgements once this much is in flight. */
const WINDOW_BYTES = 65_536;

/** The queue in front of the slowest hop, in one direction. */
interface Queue {
  freeAtMs: number;
}

/** Returns a function that forwards between two sockets. All its pairs of sockets share one line of this quality. */
export function forwardsAt(quality: LineQuality): (client: Socket, shop: Socket) => void {
  const up: Queue = { freeAtMs: 0 };
  const down: Queue = { freeAtMs: 0 };
  return (client, shop) => {
    // The handshake takes a round trip before the first byte.
    carry(client, shop, up, performance.now() + quality.roundTripMs);
    carry(shop, client, down, 0);
  };

  /** Forwards all bytes from one socket to the other as delayed packets, the first not before a time. */
  function carry(from: Socket, to: Socket, queue: Queue, notBeforeMs: number): void {
    let lastArrivalMs = notBeforeMs;
    let inFlightBytes = 0;
    const packets: Buffer[] = [];
    from.on('data', (data) => {
      for (let start = 0; start < data.length; start += PACKET_BYTES) {
        const packet = data.subarray(start, start + PACKET_BYTES);
        const nowMs = performance.now();
        const sendingMs = (packet.length * 8 * 1000) / quality.bitsPerSecond;
        queue.freeAtMs = Math.max(nowMs, queue.freeAtMs) + sendingMs;
        // A lost packet delays the packets behind it until the sender has noticed the loss.
        const lateMs = Math.random() < quality.loss ? 2 * quality.roundTripMs : 0;
        const arrivalMs = queue.freeAtMs + quality.roundTripMs / 2 + lateMs;
        lastArrivalMs = Math.max(lastArrivalMs, arrivalMs);
        inFlightBytes += packet.length;
        packets.push(packet);
        setTimeout(() => {
          // The first packet, not this one: timers of nearly the same time may change places.
          const next = packets.shift() ?? packet;
          inFlightBytes -= next.length;
          if (inFlightBytes < WINDOW_BYTES) from.resume();
          if (!to.destroyed) to.write(next);
        }, lastArrivalMs - nowMs);
      }
      if (inFlightBytes >= WINDOW_BYTES) from.pause();
    });
    from.on('end', () => {
      const endWhenSent = () => (packets.length > 0 ? setTimeout(endWhenSent, 1) : to.end());
      setTimeout(endWhenSent, Math.max(0, lastArrivalMs - performance.now()));
    });
    // A reset overtakes what is in flight, as it does on a phone that lost its network.
    from.on('close', (hadError) => {
      if (hadError) to.destroy();
    });
  }
}
