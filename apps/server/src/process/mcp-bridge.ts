import { createInterface } from "node:readline";

/** The settings of the bridge: a running service, a service key and an account. */
interface BridgeSettings {
  readonly url: URL;
  readonly key: string;
  readonly account: string | undefined;
}

/** The text of a message that the client needs answered. */
interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: {
    readonly name?: unknown;
    readonly uri?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

const VERSION = "io.modelcontextprotocol/protocolVersion";

/** Methods whose subject is named in a header from revision 2026-07-28 on. */
const NAMED = new Set(["tools/call", "resources/read", "prompts/get"]);

/** Returns the settings, or a sentence that names the missing one. */
export const bridgeSettings = (environment: NodeJS.ProcessEnv): BridgeSettings | string => {
  const { POSTERN_URL = "", POSTERN_KEY = "", POSTERN_ACCOUNT } = environment;
  if (!URL.canParse(POSTERN_URL))
    return "POSTERN_URL must be the URL of a running service, such as http://127.0.0.1:3000";
  if (POSTERN_KEY === "") return "POSTERN_KEY must be a service key: create one with POST /api/keys";
  return {
    url: new URL(`${POSTERN_URL.replace(/\/$/, "")}/mcp`),
    key: POSTERN_KEY,
    account: POSTERN_ACCOUNT || undefined,
  };
};

const headersOf = ({ key, account }: BridgeSettings, message: Message, negotiated: string | undefined) => {
  const stated = message.params?._meta?.[VERSION];
  const { method, params } = message;
  const name = params?.name ?? params?.uri;
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${key}`,
    ...(account !== undefined && { "postern-account": account }),
    ...(typeof stated === "string"
      ? {
          "mcp-protocol-version": stated,
          "mcp-method": String(method),
          ...(NAMED.has(String(method)) && {
            "mcp-name": `=?base64?${Buffer.from(String(name)).toString("base64")}?=`,
          }),
        }
      : negotiated !== undefined && method !== "initialize" && { "mcp-protocol-version": negotiated }),
  };
};

/** Returns the messages in the body of an answer: one JSON text, or a stream of events. */
const messagesIn = (type: string, body: string): ReadonlyArray<string> =>
  type.includes("event-stream")
    ? body.split(/\r?\n/).flatMap((line) => (line.startsWith("data:") && line.length > 6 ? [line.slice(5).trim()] : []))
    : body === ""
      ? []
      : [body];

const failure = (id: unknown, code: number, message: string) =>
  JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code, message } });

/**
 * Passes each message of an MCP client on `input` to the service, and writes the answers of the service, one message a
 * line. Returns when the input has ended and every request is answered.
 */
export const runBridge = async (
  settings: BridgeSettings,
  input: NodeJS.ReadableStream,
  write: (line: string) => void,
): Promise<void> => {
  const open = new Set<Promise<void>>();
  let negotiated: string | undefined;
  const hand = async (line: string): Promise<void> => {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      return write(failure(null, -32_700, "The line is not JSON"));
    }
    try {
      const headers = headersOf(settings, message, negotiated);
      const response = await fetch(settings.url, { method: "POST", headers, body: line });
      const answers = messagesIn(response.headers.get("content-type") ?? "", await response.text());
      for (const answer of answers) {
        const read = JSON.parse(answer) as { id?: unknown; result?: { protocolVersion?: string } };
        if (message.method === "initialize") negotiated = read.result?.protocolVersion;
        if (message.id !== undefined) write(JSON.stringify(read.id == null ? { ...read, id: message.id } : read));
      }
    } catch {
      if (message.id !== undefined)
        write(failure(message.id, -32_603, `The service at ${settings.url.origin} did not answer`));
    }
  };
  for await (const line of createInterface({ input })) {
    if (line.trim() === "") continue;
    const handed = hand(line);
    // The client's next message needs the negotiated version.
    if (line.includes('"initialize"')) await handed;
    open.add(handed);
    void handed.finally(() => open.delete(handed));
  }
  await Promise.all(open);
};
