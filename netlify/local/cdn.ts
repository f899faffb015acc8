/**
 * The part of Netlify's CDN that keeps the catalogue's answers, in memory: ages, tags and purges as its
 * documentation has them (docs.netlify.com, "Caching"). Only answers of status 200 are kept, as long as
 * `Netlify-CDN-Cache-Control` says.
 */

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ArrayBuffer;
}

interface Kept {
  readonly answer: Answer;
  readonly atMs: number;
  readonly freshMs: number;
  /** After `freshMs` it is still sent for this time, while it is asked for again. */
  readonly staleMs: number;
  readonly tags: readonly string[];
}

export interface CdnOptions {
  /** Milliseconds. */
  readonly now: () => number;
  /**
   * How many edges there are, which answer in turns; 1 if absent. Each has a memory of its own, so a phone may get an
   * older head after a newer one.
   */
  readonly edges?: number;
  /** Whether a purge reaches the first edge only. The others then send stale heads for their whole age. */
  readonly losesPurges?: boolean;
}

export class Cdn {
  #options: CdnOptions;
  #edges: Map<string, Kept>[];
  #turn = 0;

  constructor(options: CdnOptions) {
    this.#options = options;
    this.#edges = Array.from({ length: options.edges ?? 1 }, () => new Map<string, Kept>());
  }

  /** Answers a GET. @param ask calls the function */
  async answer(request: Request, ask: () => Promise<Response>): Promise<Response> {
    const edge = this.#edges[this.#turn++ % this.#edges.length];
    if (!edge) throw new Error('a CDN has an edge');
    const key = keyOf(request);
    const kept = edge.get(key);
    const ageMs = kept ? this.#options.now() - kept.atMs : Infinity;
    if (kept && ageMs < kept.freshMs) return withStatus(kept.answer, 'hit');
    if (kept && ageMs < kept.freshMs + kept.staleMs) {
      await this.#askAndKeep(edge, key, ask);
      return withStatus(kept.answer, 'hit; fwd=stale');
    }
    return withStatus(await this.#askAndKeep(edge, key, ask), 'fwd=miss');
  }

  purge(tags: readonly string[]): void {
    for (const edge of this.#options.losesPurges ? this.#edges.slice(0, 1) : this.#edges) {
      for (const [key, kept] of edge) {
        if (kept.tags.some((tag) => tags.includes(tag))) edge.delete(key);
      }
    }
  }

  async #askAndKeep(
    edge: Map<string, Kept>,
    key: string,
    ask: () => Promise<Response>,
  ): Promise<Answer> {
    const response = await ask();
    const { status, headers } = response;
    const answer = { status, headers, body: await response.arrayBuffer() };
    const ages = agesIn(headers.get('netlify-cdn-cache-control') ?? '');
    if (status === 200 && ages) {
      const tags = (headers.get('netlify-cache-tag') ?? '').split(',');
      edge.set(key, { answer, atMs: this.#options.now(), ...ages, tags });
    }
    return answer;
  }
}

/** The address with all of its query: phones send only the parameters that `Netlify-Vary` names. */
function keyOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Null for an answer that must not be kept. */
function agesIn(control: string) {
  const [, fresh] = /\bmax-age=(\d+)/.exec(control) ?? [];
  const [, stale] = /\bstale-while-revalidate=(\d+)/.exec(control) ?? [];
  if (fresh === undefined) return null;
  return { freshMs: Number(fresh) * 1000, staleMs: Number(stale ?? 0) * 1000 };
}

/** What a browser gets: the CDN takes its own headers off. */
function withStatus({ status, headers, body }: Answer, cacheStatus: string): Response {
  const others = [...headers].filter(([name]) => !name.startsWith('netlify-'));
  const sent = [...others, ['cache-status', `"Netlify Edge"; ${cacheStatus}`] as [string, string]];
  return new Response(body, { status, headers: sent });
}
