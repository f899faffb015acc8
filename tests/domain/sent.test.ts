/** What a shopper reads of an order that is sent, and which links to its parcel are safe. */
import { expect, test } from 'vitest';
import { isTrackingUrl, parseSent, sentWords } from '../../src/domain/sent.ts';

const NOW = new Date('2026-11-21T12:00:00');
const sentAt = new Date('2026-05-12T12:00:00').toISOString();

test.each([
  ['the day and the carrier', { sentAt, carrier: 'DHL' }, 'Sent on May 12 with DHL'],
  ['the day alone, where no carrier is named', { sentAt, carrier: null }, 'Sent on May 12'],
  [
    'the year, where it is not this one',
    { sentAt: new Date('2025-05-12T12:00:00').toISOString(), carrier: null },
    'Sent on May 12, 2025',
  ],
  ['nothing of an order that is not sent', { sentAt: null, carrier: 'DHL' }, null],
])('a shopper reads %s', (_, sent, words) => {
  expect(sentWords({ ...sent, trackingUrl: null }, NOW)).toBe(words);
});

test.each([
  ['https://track.example/?id=1&lang=en', true],
  ['http://track.example/', false],
  ['javascript:alert(1)', false],
  ['https://user:pass@track.example/', false],
  ['https://track.example/a b', false],
  ['https://', false],
  [`https://track.example/${'a'.repeat(500)}`, false],
  [7, false],
])('the shop leads a shopper to the carrier at %s: %s', (address, may) => {
  expect(isTrackingUrl(address)).toBe(may);
});

test('an address of a parcel that no shopper may be led to is not read', () => {
  const row = { sent_at: '2026-05-12 12:00:00+00', carrier: ' ', tracking_url: 'http://a.example' };
  expect(parseSent(row)).toEqual({
    sentAt: '2026-05-12T12:00:00.000Z',
    carrier: null,
    trackingUrl: null,
  });
});
