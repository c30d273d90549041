import type { ImapFlow } from "imapflow";
import { internalsOf, withResponses } from "./imapflow-internals.ts";

/** The outcome of each command of a write: whether the server accepted the command, and the text of a refusal. */
export interface Written {
  readonly accepted: ReadonlyArray<boolean>;
  /** The answer behind the tag, such as `NO [NONEXISTENT] gone`; undefined for a command that was not refused. */
  readonly refusals: ReadonlyArray<string | undefined>;
  /** The indexes of the commands in the order in which the server ended them. */
  readonly ended: ReadonlyArray<number>;
}

/**
 * Takes a response, or leaves it to imapflow. `at` is the index of the command that the response answers: the command
 * that an ESEARCH names, otherwise the first command that has not ended. A server may run two searches at once
 * (Dovecot), but no SELECT while other commands run.
 */
export type Take = (payload: Buffer, literals: ReadonlyArray<Buffer>, at: number) => boolean;

/** The announcement of a literal; the server must answer before more is written. */
const LITERAL = /\{\d+\+?\}(?:\r\n)?$/;

/** The command that an ESEARCH answers (RFC 4731). */
const SEARCHED = /^\* ESEARCH \(TAG "([^"]{1,40})"\)/i;

/** The first bytes of an untagged response, and of ESEARCH. */
const [ASTERISK, E, LOWER_E] = [0x2a, 0x45, 0x65];

const isSearchAnswer = (payload: Buffer): boolean => payload[2] === E || payload[2] === LOWER_E;

/**
 * Maximum number of characters read to find the tag of a response, or the answer to a command, which may have a
 * COPYUID.
 */
const MAX_TEXT = 240;
const MAX_ANSWER = 64 << 10;

/**
 * Runs a command of imapflow (index 0) with further commands in the same write, without imapflow's knowledge, and waits
 * for all. Each response is passed to `take` first; imapflow does not see the responses that `take` accepts. A command
 * that must be written in several pieces is sent without the commands after it; these count as not accepted. `ended` is
 * called with the answer to each command as soon as it arrives.
 */
export const inOneWrite = async <A>(
  client: ImapFlow,
  behind: ReadonlyArray<string>,
  take: Take,
  run: () => Promise<A>,
  ended?: (at: number, said: string) => void,
): Promise<{ readonly answer: A } & Written> => {
  const internals = internalsOf(client);
  const write = internals.write!;
  // imapflow's own tags are hexadecimal.
  const tags = ["", ...behind.map((_, n) => `N${internals.tagCounter}-${n}`)];
  const accepted = tags.map(() => false);
  const refusals = tags.map((): string | undefined => undefined);
  const order: Array<number> = [];
  const end = Promise.withResolvers<void>();
  let open = 0;
  internals.write = (chunk) => {
    internals.write = write;
    const { currentRequest } = internals;
    if (currentRequest) tags[0] = currentRequest.tag;
    const text = chunk.toString("latin1");
    if (LITERAL.test(text) || behind.length === 0) return write.call(client, chunk);
    open = behind.length;
    write.call(client, [text, ...behind.map((line, n) => `${tags[n + 1]!} ${line}`)].join("\r\n"));
  };
  client.once("close", end.resolve);
  const named = (payload: Buffer): number => {
    const tag = isSearchAnswer(payload) ? SEARCHED.exec(payload.toString("latin1", 0, MAX_TEXT))?.[1] : undefined;
    return tag === undefined ? -1 : tags.indexOf(tag);
  };
  const sort = (payload: Buffer, literals: ReadonlyArray<Buffer>): boolean => {
    const isUntagged = payload[0] === ASTERISK;
    const at = isUntagged ? named(payload) : -1;
    if (take(payload, literals, at < 0 ? order.length : at)) return true;
    if (isUntagged) return false;
    const text = payload.toString("latin1", 0, MAX_TEXT);
    const space = text.indexOf(" ");
    const n = space <= 0 ? -1 : tags.indexOf(text.slice(0, space));
    if (n < 0) return false;
    const said = payload.toString("latin1", space + 1, MAX_ANSWER);
    order.push(n);
    accepted[n] = /^OK\b/i.test(said);
    if (!accepted[n]) refusals[n] = said;
    ended?.(n, said);
    if (n === 0) return false;
    if (--open === 0) end.resolve();
    return true;
  };
  try {
    const answer = await withResponses(client, sort, async () => {
      try {
        return await run();
      } finally {
        if (open > 0) await end.promise;
      }
    });
    return { answer, accepted, refusals, ended: order };
  } finally {
    internals.write = write;
    client.off("close", end.resolve);
  }
};

/** Writes commands, given without their tags, at once, and waits for the answers to all. Fails if the connection is lost. */
export const pipeline = async (
  client: ImapFlow,
  lines: ReadonlyArray<string>,
  take: Take,
  ended?: (at: number, said: string) => void,
): Promise<Written> => {
  const internals = internalsOf(client);
  // An IDLE must end before other commands.
  if (internals.preCheck) await internals.preCheck();
  const [first, ...behind] = lines;
  const run = async (): Promise<void> => {
    try {
      (await internals.exec(first!, false)).next();
    } catch (error) {
      if ((error as { readonly responseStatus?: string }).responseStatus === undefined) throw error;
    }
  };
  return inOneWrite(client, behind, take, run, ended);
};
