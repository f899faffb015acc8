/**
 * Lets pages of any origin call the backend, as hosted Supabase's gateway does: what they may do is
 * decided by key and token, not by where they are. The embedded auth service names no headers.
 */
import type { IncomingMessage } from 'node:http';

export function isPreflight(message: IncomingMessage): boolean {
  return message.method === 'OPTIONS' && 'access-control-request-method' in message.headers;
}

export function answerPreflight(message: IncomingMessage): Response {
  const wanted = message.headers['access-control-request-headers'];
  return new Response(null, {
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, PUT, PATCH, POST, DELETE, OPTIONS',
      ...(wanted === undefined ? {} : { 'access-control-allow-headers': wanted }),
      'access-control-max-age': '3600',
      vary: 'Access-Control-Request-Headers',
    },
  });
}

/** Any page may read the answer. */
export function openToAll(answer: Response): Response {
  if (!answer.headers.has('access-control-allow-origin')) {
    answer.headers.set('access-control-allow-origin', '*');
  }
  return answer;
}
