import type { Recording } from "@postern/core/accounts";
import { ReceiveBudget } from "@postern/core/mail";
import type { ImapFlow } from "imapflow";
import { handleResponse, internalsOf, takeResponse } from "./imapflow-internals.ts";
import { answerBounds, NOTHING_ASKED } from "./lines-asked.ts";
import type { ResponseLimits } from "./ResponseReader.ts";
import { ResponseStream } from "./ResponseStream.ts";

/** Code of the error for a server that sent more than its budget. */
export const FLOOD = "ServerFlood";

export const flood = (what: string): Error => Object.assign(new Error(what), { code: FLOOD });

/** Codes of a connection that was closed because the server sent too much; imapflow's own code is about one response. */
export const FLOOD_CODE = /^(ServerFlood|TooManyTokens)$/;

/** The limits before the sign-in, after it, and for long answers. */
const EARLY: ResponseLimits = { line: 64 << 10, literal: 64 << 10, response: 128 << 10 };
const USUAL: ResponseLimits = { line: 1 << 20, literal: 1 << 20, response: 2 << 20 };
/** The limits of the largest answers: search results of millions of messages, and texts. */
const LONG: ResponseLimits = { line: 16 << 20, literal: 16 << 20, response: 32 << 20 };

/** The maximum number of messages that is believed, because a server may claim any number. */
const MAX_MESSAGES = 1_000_000;

/** Maximum number of bytes of a write that are searched for commands. */
const MAX_TEXT = 64 << 10;

const FLOODING = new WeakSet<ImapFlow>();

/** Returns whether a connection ended because its server sent more than its budget. */
export const isFlooding = (client: ImapFlow): boolean => FLOODING.has(client);

const FAILURES = new WeakMap<ImapFlow, (what: string) => Error>();

/** Closes a connection because its server sent unsolicited data beyond the budget. */
export const endFlood = (client: ImapFlow, what: string): void => {
  internalsOf(client).streamer.destroy((FAILURES.get(client) ?? flood)(what));
};

/**
 * Replaces imapflow's reader of a new client by our own. Our reader reads in slices and closes the connection if the
 * server sends more than the budget of a command. It offers each response to our current command before it passes the
 * response to imapflow. `flooded` is called when a connection is closed for that reason.
 */
export const boundResponses = (client: ImapFlow, flooded: () => void, recording?: Recording): void => {
  const internals = internalsOf(client);
  const budget = new ReceiveBudget();
  let asked = NOTHING_ASKED;

  const failure = (what: string): Error => {
    if (!FLOODING.has(client)) {
      FLOODING.add(client);
      flooded();
    }
    return flood(what);
  };
  FAILURES.set(client, failure);
  const stream = new ResponseStream(EARLY, failure, {
    count: (size) => {
      const each = asked.ofEachMessage && client.mailbox ? Math.min(client.mailbox.exists, MAX_MESSAGES) : 0;
      if (!budget.take(size, asked.lines + each, performance.now())) {
        throw failure("the server sent more than was asked for");
      }
    },
    process: (response, isLast) => takeResponse(client, response) || handleResponse(client, response, isLast),
    received: (chunk) => recording?.received(chunk),
  });
  const { streamer } = internals;
  for (const listener of streamer.listeners("error")) stream.on("error", listener as () => void);
  // imapflow stops listening when it closes a connection, and an error without a listener ends the process.
  stream.on("error", () => {});
  streamer.destroy();
  internals.streamer = stream;

  const write = internals.write!.bind(client);
  internals.write = (chunk) => {
    const { currentRequest } = internals;
    const text = typeof chunk === "string" ? chunk : chunk.toString("latin1", 0, MAX_TEXT);
    // Other writes continue a command: the data of a literal, an answer of SASL, the end of an IDLE.
    if (currentRequest && text.startsWith(`${currentRequest.tag} `)) {
      asked = answerBounds(text.split("\r\n"));
      budget.begin();
      stream.limits = asked.isLong ? LONG : client.authenticated ? USUAL : EARLY;
    }
    write(chunk);
  };
};
