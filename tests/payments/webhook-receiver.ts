interface ReceivedWebhook {
  readonly body: string;
  readonly headers: Headers;
}

/** Stands for the shop's webhook functions: records each request. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];

  readonly send = async (request: Request): Promise<Response> => {
    this.received.push({ body: await request.text(), headers: request.headers });
    return new Response(null, { status: 200 });
  };

  /** The parsed bodies. */
  get events(): readonly Record<string, unknown>[] {
    return this.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  }
}
