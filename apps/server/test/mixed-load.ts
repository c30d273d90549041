import { Agent, type IncomingMessage, request } from "node:http";

/** The outcome of a request: its status, or the error of its connection. */
export interface Seen {
  readonly what: string;
  /** The time the request was sent, in milliseconds of `performance.now()`. */
  readonly askedAt: number;
  readonly status?: number;
  /** Whether the answer had `Connection: close`. */
  readonly closes?: boolean;
  /** Error code if there was no complete answer; `ECONNREFUSED` if the connection was not accepted. */
  readonly cut?: string;
}

const FORM = [
  "--b",
  'Content-Disposition: form-data; name="file"; filename="a.txt"',
  "",
  "x".repeat(50_000),
  "--b--",
  "",
];
const JSON_TYPE = { "content-type": "application/json" };
const REQUESTS = [
  { what: "GET /api/folders" },
  { what: "GET /api/inbox?limit=50" },
  {
    what: "POST /api/send",
    headers: JSON_TYPE,
    body: JSON.stringify({ to: "someone@elsewhere.test", subject: "Load", text: "Text." }),
  },
  {
    what: "POST /api/uploads",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: FORM.join("\r\n"),
  },
  { what: "GET /api/search?text=load" },
  { what: "GET /api/settings/webhooks" },
  { what: "POST /api/auth/mobile-login", headers: JSON_TYPE, body: "{" },
  { what: "GET /docs" },
] as const;
/** A request that ends only when the server stops. */
const STREAM = { what: "GET /api/events" } as const;

type Asked = (typeof REQUESTS)[number] | typeof STREAM;

/**
 * Runs clients that send one request after another on a persistent connection, until a request gets no answer. One client
 * in ten opens a connection for each request, another one reads the event stream.
 */
export const mixedLoad = (base: string, token: string, clients: number) => {
  const seen: Array<Seen> = [];
  const ask = (agent: Agent, asked: Asked) =>
    new Promise<Seen>((resolve) => {
      const askedAt = performance.now();
      const end = (found: Omit<Seen, "what" | "askedAt">) => resolve({ what: asked.what, askedAt, ...found });
      const [method, path] = asked.what.split(" ") as [string, string];
      const body = "body" in asked ? asked.body : "";
      const headers = {
        authorization: `Bearer ${token}`,
        ...("headers" in asked ? asked.headers : {}),
        ...(body === "" ? {} : { "content-length": Buffer.byteLength(body) }),
      };
      const answered = (answer: IncomingMessage) => {
        answer.resume();
        answer.on("end", () => end({ status: answer.statusCode!, closes: answer.headers.connection === "close" }));
        answer.on("error", ({ code }: NodeJS.ErrnoException) => end({ cut: code ?? "cut" }));
      };
      request(base + path, { agent, method, headers }, answered)
        .on("error", ({ code, message }: NodeJS.ErrnoException) => end({ cut: code ?? message }))
        .end(body);
    });
  const client = async (number: number) => {
    const agent = new Agent({ keepAlive: number % 10 !== 8, maxSockets: 1 });
    for (let n = number; ; n++) {
      const found = await ask(agent, number % 10 === 9 ? STREAM : REQUESTS[n % REQUESTS.length]!);
      seen.push(found);
      if (found.cut !== undefined) return agent.destroy();
    }
  };
  const ended = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return { seen, ended };
};
