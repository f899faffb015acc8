/**
 * Lets pages of any origin call the backend, as hosted Supabase's gateway does: key and token decide what a
 * page may do, not its origin.
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

/** Lets a page of any origin read the answer. */
export function allowAnyOrigin(answer: Response): Response {
  if (!answer.headers.has('access-control-allow-origin')) {
    answer.headers.set('access-control-allow-origin', '*');
  }
  return answer;
}
