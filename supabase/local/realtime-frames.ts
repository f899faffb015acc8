/**
 * Phoenix's frames on the wire, in version 2.0.0, which realtime-js speaks unless it is told otherwise.
 * Source: phoenix, `lib/phoenix/socket/serializers`.
 */
import { fieldsOf, parseJson } from '../../src/domain/fields.ts';

export interface RealtimeFrame {
  readonly joinRef: string | null;
  readonly ref: string | null;
  readonly topic: string;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Parses a message; undefined for text that is not a frame. */
export function readFrame(text: string): RealtimeFrame | undefined {
  const value = parseJson(text);
  const [joinRef, ref, topic, event, payload] = Array.isArray(value) ? (value as unknown[]) : [];
  if (typeof topic !== 'string' || typeof event !== 'string') return undefined;
  return {
    joinRef: textOrNull(joinRef),
    ref: textOrNull(ref),
    topic,
    event,
    payload: fieldsOf(payload),
  };
}

export function writeFrame({ joinRef, ref, topic, event, payload }: RealtimeFrame): string {
  return JSON.stringify([joinRef, ref, topic, event, payload]);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
