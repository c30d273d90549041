/** A draft as a client reads it. */
export interface DraftRecord {
  readonly id: string;
  readonly version: string;
  readonly state: string;
  readonly reason: { readonly reason: string } | null;
  readonly subject: string;
  readonly text: string;
}

/** An answer; undefined if the connection was cut. */
export interface Answer {
  readonly status: number;
  readonly body: any;
  readonly etag: string | null;
}

/** A client of the drafts of one account, at the address that `base` returns. */
export const draftClient = (base: () => string, token: string) => {
  const call = async (
    method: string,
    path: string,
    json?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer | undefined> => {
    const answered = async () => {
      const answer = await fetch(base() + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(json === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
      return { status: answer.status, body: await answer.json(), etag: answer.headers.get("etag") };
    };
    return answered().catch(() => undefined);
  };
  /** Sends a request, and throws unless the answer is 200. */
  const done = async (method: string, path: string, json?: unknown, headers?: Readonly<Record<string, string>>) => {
    const answer = await call(method, path, json, headers);
    if (answer?.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  };
  return {
    call,
    create: (mail: object) => call("POST", "/api/drafts", mail),
    save: (id: string, version: string, mail: object) =>
      call("PUT", `/api/drafts/${id}`, mail, { "if-match": version }),
    get: (id: string) => call("GET", `/api/drafts/${id}`),
    send: (id: string, key?: string) =>
      call("POST", `/api/drafts/${id}/send`, undefined, key === undefined ? {} : { "idempotency-key": key }),
    list: async (): Promise<ReadonlyArray<DraftRecord>> => (await done("GET", "/api/drafts")).data,
    /** The state of a message in the outbox. */
    stateOf: async (messageId: string): Promise<string | undefined> =>
      (await done("GET", "/api/outbox")).data.find((item: { messageId: string }) => item.messageId === messageId)
        ?.state,
    done,
  };
};

export type DraftClient = ReturnType<typeof draftClient>;
