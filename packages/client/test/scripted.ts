/** A request as the service gets it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Answers in their order; an `Error` is a lost connection. */
export type Answers = ReadonlyArray<() => Response | Error>;

/** Returns an answer in JSON. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });

/** Returns a `fetch` that gives the answers in order and repeats the last one, and the requests that it got. */
export const scripted = (...answers: Answers) => {
  const asked: Array<Asked> = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    init?.signal?.throwIfAborted();
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    const answer = answers[Math.min(asked.length, answers.length - 1)]!();
    asked.push({ method: request.method, path: pathname + search, headers: request.headers, body });
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { fetch, asked };
};
