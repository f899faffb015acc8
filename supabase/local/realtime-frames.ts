/**
 * Phoenix's frames on the wire, in the two versions that realtime-js speaks: 1.0.0 is an object,
 * 2.0.0 a list. Source: phoenix, `lib/phoenix/socket/serializers`.
 */
import { fieldsOf } from '../../src/domain/fields.ts';

export interface RealtimeFrame {
  readonly joinRef: string | null;
  readonly ref: string | null;
  readonly topic: string;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export type Version = '1.0.0' | '2.0.0';

/** Parses a message; undefined for text that is not a frame. */
export function readFrame(version: Version, text: string): RealtimeFrame | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const [joinRef, ref, topic, event, payload] =
    version === '2.0.0' && Array.isArray(value)
      ? (value as unknown[])
      : ['join_ref', 'ref', 'topic', 'event', 'payload'].map((name) => fieldsOf(value)[name]);
  if (typeof topic !== 'string' || typeof event !== 'string') return undefined;
  return {
    joinRef: textOrNull(joinRef),
    ref: textOrNull(ref),
    topic,
    event,
    payload: fieldsOf(payload),
  };
}

/** The server sends no `join_ref` in version 1.0.0. */
export function writeFrame(version: Version, frame: RealtimeFrame): string {
  const { joinRef, ref, topic, event, payload } = frame;
  return JSON.stringify(
    version === '2.0.0' ? [joinRef, ref, topic, event, payload] : { topic, event, payload, ref },
  );
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
