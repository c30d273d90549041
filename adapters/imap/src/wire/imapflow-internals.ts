import type { Writable } from "node:stream";
import { type ImapFlow, type ImapFlowError, ImapFlowErrorCode } from "imapflow";
import { getStatusCode } from "imapflow/lib/tools.js";
import type { Response } from "./ResponseReader.ts";

/** Parts of imapflow 2.10.2 (pinned) that its type declarations omit. */
interface Internals {
  folders: Map<string, { readonly path: string }>;
  socket?: { readonly destroyed: boolean } | null;
  skipLsub?: boolean;
  skipListSubscribedArg?: boolean;
  handleResponse?: (response: Response & { readonly trailingAfterLine?: boolean }) => Promise<boolean>;
  write?: (chunk: string | Buffer) => void;
  failProtocol: (error: Error) => void;
  rejectCurrentRequest: (error: Error) => void;
  /** imapflow's reader of lines and literals, until ours replaces it. */
  streamer: Writable & { readonly readBytesCounter: number };
  /** The parts of a command still to be written, after the server asks for them. */
  readonly commandParts: Array<Buffer>;
  readonly currentRequest: { readonly tag: string } | false;
  tagCounter: number;
  throttleWait: (milliseconds: number) => Promise<boolean>;
  getUntaggedHandler: (command: string, attributes: Untagged["attributes"]) => Handler | undefined;
  exec: (
    command: string,
    attributes: unknown,
    options?: { untagged?: Record<string, Handler> },
  ) => Promise<{ next: () => void }>;
  /** Ends an IDLE before another command. */
  readonly preCheck?: (() => Promise<void>) | false;
}

interface Token {
  readonly type?: string;
  readonly value?: unknown;
}

/** The value of an attribute: NIL, a token, or a list of values. */
type Attribute = Token | null | ReadonlyArray<Attribute>;

/** An untagged response as imapflow's parser returns it. */
export interface Untagged {
  readonly command: string;
  readonly attributes: ReadonlyArray<Attribute>;
  readonly numbers?: ReadonlyArray<number>;
}

type Handler = (untagged: Untagged) => Promise<unknown>;

export const internalsOf = (client: ImapFlow) => client as unknown as Internals;

/** Returns whether a connection can be used. imapflow reports a connection as usable for a moment after its socket is gone. */
export const isAlive = (client: ImapFlow): boolean =>
  // After a BYE imapflow neither sends nor answers commands until the connection is closed.
  client.usable && client.byeReason === undefined && internalsOf(client).socket?.destroyed !== true;

/** Code of the error for a server that greets as something other than an IMAP server. */
export const NOT_IMAP = "NotImap";

export const notImap = (): Error => Object.assign(new Error("the server is not an IMAP server"), { code: NOT_IMAP });

/** Makes a new client fail, before it sends anything, if the first line is not a greeting of IMAP (RFC 9051, 7). */
export const checkGreeting = (client: ImapFlow): void => {
  const internals = internalsOf(client);
  const handle = internals.handleResponse!.bind(client);
  let isGreeted = false;
  internals.handleResponse = (response) => {
    isGreeted ||= /^\* (OK|PREAUTH|BYE)( |$)/i.test(response.payload.toString("latin1"));
    if (isGreeted) return handle(response);
    internals.failProtocol(notImap());
    return Promise.resolve(false);
  };
};

/** An OK with a response code that is not a list of words, such as capabilities truncated by a proxy. */
const UNREADABLE_CODE = /^(\S+ OK) \[(?![\w!#$&'*+,\-./:;<=>?@^`|~ ]*\])/i;

/**
 * Until the client has signed in, removes response codes that imapflow cannot read. Otherwise imapflow would miss the
 * greeting or the end of LOGIN.
 */
export const dropUnreadableCodes = (client: ImapFlow): void => {
  const internals = internalsOf(client);
  const handle = internals.handleResponse!.bind(client);
  internals.handleResponse = (response) => {
    const [, start] = client.authenticated ? [] : (UNREADABLE_CODE.exec(response.payload.toString("latin1")) ?? []);
    return handle(start === undefined ? response : { ...response, payload: Buffer.from(start, "latin1") });
  };
};

/** Returns whether any byte has arrived from the server. */
export const hasReceivedBytes = (client: ImapFlow): boolean => internalsOf(client).streamer.readBytesCounter > 0;

/**
 * Makes imapflow use the names that the server returns. Otherwise imapflow would add the personal namespace to every
 * name without it. It would then hide shared folders and open the wrong folder. Also turns off imapflow's query for
 * subscriptions, which Postern does not use.
 */
export const disableNamePrefix = (client: ImapFlow): void => {
  if (client.namespace !== undefined) client.namespace = { ...client.namespace, prefix: "" };
  internalsOf(client).skipLsub = true;
  internalsOf(client).skipListSubscribedArg = true;
};

/** Code of the error of a command that Microsoft 365 throttled. */
export const THROTTLED = "Throttled";

const REFUSALS = new WeakMap<ImapFlow, ImapFlowError>();

/**
 * Makes a connection keep the last refusal (NO or BAD) of its server, with its response code. Many methods of imapflow
 * return `false` instead, and FETCH drops the code. If Microsoft 365 throttles a command, imapflow would also wait for
 * up to five minutes and repeat a FETCH. This function leaves both decisions to the caller: how long to wait, and
 * whether to repeat.
 */
export const keepRefusals = (client: ImapFlow): void => {
  const internals = internalsOf(client);
  const exec = internals.exec.bind(client);
  internals.throttleWait = () => Promise.resolve(false);
  internals.exec = async (command, attributes, options) => {
    try {
      return await exec(command, attributes, options);
    } catch (caught) {
      const error = caught as ImapFlowError;
      if (error.code === ImapFlowErrorCode.ETHROTTLE) error.code = THROTTLED;
      if (error.responseStatus !== undefined) {
        error.serverResponseCode ??= getStatusCode(error.response as never) || undefined;
        REFUSALS.set(client, error);
      }
      throw error;
    }
  };
};

/** Returns the refusal since the last call, if any, and clears it. imapflow hides some refusals behind `false` or `undefined`. */
export const takeRefusal = (client: ImapFlow): ImapFlowError | undefined => {
  const refusal = REFUSALS.get(client);
  REFUSALS.delete(client);
  return refusal;
};

/** Returns the prefix of a mailbox's namespace (RFC 2342); INBOX belongs to the first personal one. */
export const prefixOf = (client: ImapFlow, path: string): string => {
  const personal = (client.namespaces?.personal || []).map(({ prefix }) => prefix);
  if (path === "INBOX") return personal[0] ?? "";
  const fitting = personal.filter((prefix) => path.startsWith(prefix));
  return fitting.toSorted((one, other) => other.length - one.length)[0] ?? "";
};

/** Reads a response; returns false if imapflow must read it. */
type Take = (payload: Buffer, literals: ReadonlyArray<Buffer>) => boolean;

const TAKES = new WeakMap<ImapFlow, Take>();

/** Runs a command and passes each response to `take` first. imapflow does not see the responses that `take` accepts. */
export const withResponses = async <A>(client: ImapFlow, take: Take, run: () => Promise<A>): Promise<A> => {
  TAKES.set(client, take);
  try {
    return await run();
  } finally {
    TAKES.delete(client);
  }
};

/** Passes a response to the command that takes responses first; returns whether it was taken. */
export const takeResponse = (client: ImapFlow, { payload, literals }: Response): boolean =>
  TAKES.get(client)?.(withoutNuls(payload), literals) === true;

/** Code of the error for a response that made imapflow fail. */
const UNPROCESSED = "ResponseProcessingFailed";

/** Passes a response to imapflow. Resolves to whether reading from the connection can go on. */
export const handleResponse = async (client: ImapFlow, response: Response, isLast: boolean): Promise<boolean> => {
  const internals = internalsOf(client);
  try {
    // imapflow refuses STARTTLS if bytes have arrived behind its answer.
    return await internals.handleResponse!({ ...response, trailingAfterLine: !isLast });
  } catch (cause) {
    const error = Object.assign(new Error("a response could not be processed", { cause }), { code: UNPROCESSED });
    internals.rejectCurrentRequest(error);
    internals.failProtocol(error);
    return false;
  }
};

/** Returns a response without the NUL bytes that some servers send before it. imapflow skips them too. */
const withoutNuls = (payload: Buffer): Buffer =>
  payload[0] === 0 ? payload.subarray(payload.findIndex((byte) => byte !== 0)) : payload;

/** Passes a response to imapflow as if its own parser had read it. Returns false if no handler listens for it. */
export const takeUntagged = (client: ImapFlow, untagged: Untagged): boolean => {
  const handler = internalsOf(client).getUntaggedHandler(untagged.command, untagged.attributes);
  // imapflow omits a row that it cannot use, with or without this function.
  handler?.(untagged).catch(() => {});
  return handler !== undefined;
};

/** Suppresses the LIST that imapflow sends before it selects a mailbox it has not listed. */
export const skipListBeforeSelect = (client: ImapFlow, path: string): void => {
  const { folders } = internalsOf(client);
  if (!folders.has(path)) folders.set(path, { path });
};

const EXTENDS_LIST = Symbol();

/**
 * Adds MAILBOXID (RFC 8474), which imapflow cannot request, to each LIST-STATUS of this connection. Returns a map of
 * the ids by listed name; the connection owns the map and clears it at each LIST.
 */
export const mailboxIdsOf = (client: ImapFlow): ReadonlyMap<string, string> => {
  const holder = client as unknown as { [EXTENDS_LIST]?: Map<string, string> };
  if (holder[EXTENDS_LIST] !== undefined) return holder[EXTENDS_LIST];
  const ids = (holder[EXTENDS_LIST] = new Map());
  const internals = internalsOf(client);
  const exec = internals.exec.bind(client);
  internals.exec = (command, attributes, options) => {
    const items = command === "LIST" ? statusItems(attributes) : undefined;
    const status = options?.untagged?.["STATUS"];
    if (items === undefined || status === undefined) return exec(command, attributes, options);
    ids.clear();
    items.push({ type: "ATOM", value: "MAILBOXID" });
    const untagged: Record<string, Handler> = {
      ...options?.untagged,
      STATUS: (response) => {
        const [name, values] = response.attributes ?? [];
        const at = Array.isArray(values) ? values.findIndex((token) => isAtom(token, "MAILBOXID")) : -1;
        const id = at < 0 ? undefined : (values as ReadonlyArray<ReadonlyArray<Token>>)[at + 1]?.[0]?.value;
        if (id !== undefined) ids.set(String((name as Token).value), String(id));
        return status(response);
      },
    };
    return exec(command, attributes, { ...options, untagged });
  };
  return ids;
};

/** Returns the data items of `RETURN (STATUS (…) …)`. */
const statusItems = (attributes: unknown): Array<Token> | undefined => {
  const options = Array.isArray(attributes) ? (attributes as ReadonlyArray<unknown>).at(-1) : undefined;
  if (!Array.isArray(options)) return undefined;
  const at = options.findIndex((token) => isAtom(token, "STATUS"));
  return at < 0 ? undefined : options[at + 1];
};

const isAtom = (token: unknown, value: string): boolean =>
  typeof token === "object" && token !== null && String((token as Token).value).toUpperCase() === value;
