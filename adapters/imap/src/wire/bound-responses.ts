import { ReceiveBudget } from "@postern/core/mail";
import type { ImapFlow } from "imapflow";
import { internalsOf } from "./imapflow-internals.ts";
import { askedBy, NOTHING_ASKED } from "./lines-asked.ts";
import { nextTurn } from "./turns.ts";

/** Code of the error for a server that sent more than its budget. */
export const FLOOD = "ServerFlood";

export const flood = (what: string): Error => Object.assign(new Error(what), { code: FLOOD });

/** Codes of a connection that was closed because the server sent too much; imapflow's own codes are about one response. */
export const FLOOD_CODE = /^(ServerFlood|LineTooLarge|LiteralTooLarge|ResponseTooLarge|TooManyTokens)$/;

/** The maximum size in bytes of a line, a literal and a response: before the sign-in, after it, and for long answers. */
const EARLY = { maxLineLength: 64 << 10, maxLiteralSize: 64 << 10, maxResponseSize: 128 << 10 };
const USUAL = { maxLineLength: 1 << 20, maxLiteralSize: 1 << 20, maxResponseSize: 2 << 20 };
/** The largest answers are search results of millions of messages, and texts. */
const LONG = { maxLineLength: 16 << 20, maxLiteralSize: 16 << 20, maxResponseSize: 32 << 20 };

/** The maximum number of literals in a response. A message with many recipients may have one in each name. */
const MAX_LITERALS = 100_000;

/** The maximum number of messages, because a server may claim any number. */
const MAX_MESSAGES = 1_000_000;

/** How long one connection reads before others have a turn, in milliseconds. */
const SLICE = 5;

/** How much of a write is searched for commands. */
const MAX_TEXT = 64 << 10;

const FLOODING = new WeakSet<ImapFlow>();

/** Whether a connection ended because its server sent more than its budget. */
export const isFlooding = (client: ImapFlow): boolean => FLOODING.has(client);

/**
 * Makes a new client close its connection if the server sends more than the budget of a command, and read in slices, so
 * that other work can run between them. `flooded` is called when a connection is closed for that reason.
 */
export const boundResponses = (client: ImapFlow, flooded: () => void): void => {
  const internals = internalsOf(client);
  const { streamer } = internals;
  const budget = new ReceiveBudget();
  let asked = NOTHING_ASKED;
  let [literals, sliceEnd] = [0, 0];
  Object.assign(streamer, EARLY);

  const write = internals.write!.bind(client);
  internals.write = (chunk) => {
    const { currentRequest } = internals;
    const text = typeof chunk === "string" ? chunk : chunk.toString("latin1", 0, MAX_TEXT);
    // Other writes continue a command: the data of a literal, an answer of SASL, the end of an IDLE.
    if (currentRequest && text.startsWith(`${currentRequest.tag} `)) {
      asked = askedBy(text.split("\r\n"));
      budget.begin();
      Object.assign(streamer, asked.isLong ? LONG : client.authenticated ? USUAL : EARLY);
    }
    write(chunk);
  };

  const isWithin = (bytes: number): boolean => {
    const each = asked.ofEachMessage && client.mailbox ? Math.min(client.mailbox.exists, MAX_MESSAGES) : 0;
    return budget.take(bytes, asked.lines + each, performance.now());
  };

  const fail = streamer.failStream.bind(streamer);
  streamer.failStream = (error) => {
    const isFlood = FLOOD_CODE.test((error as NodeJS.ErrnoException).code ?? "");
    if (isFlood && !FLOODING.has(client)) {
      FLOODING.add(client);
      flooded();
    }
    return fail(error);
  };

  // imapflow looks for a literal at the end of each line.
  const check = streamer.checkLiteralMarker.bind(streamer);
  streamer.checkLiteralMarker = (line) => {
    const { responseBytes } = streamer;
    const isLiteral = check(line);
    if (isLiteral) {
      if (++literals > MAX_LITERALS) streamer.failStream(flood(`more than ${MAX_LITERALS} literals in a response`));
    } else {
      literals = 0;
      if (!isWithin(responseBytes + line.length)) streamer.failStream(flood("the server sent more than was asked for"));
    }
    return isLiteral;
  };

  const beginSlice = (): void => {
    if (sliceEnd !== 0) return;
    sliceEnd = performance.now() + SLICE;
    setImmediate(() => (sliceEnd = 0));
  };
  const isSliceOver = (): boolean => sliceEnd !== 0 && performance.now() > sliceEnd;

  // imapflow reads the next response when it has processed one.
  const push = streamer.push.bind(streamer);
  streamer.push = (response) => {
    if (response !== null) {
      beginSlice();
      const { next } = response;
      response.next = () => (isSliceOver() ? void nextTurn().then(next) : next());
    }
    return push(response);
  };
  const read = streamer.processInputChunk.bind(streamer);
  streamer.processInputChunk = async (chunk) => {
    beginSlice();
    await read(chunk);
    if (isSliceOver()) await nextTurn();
  };
};
