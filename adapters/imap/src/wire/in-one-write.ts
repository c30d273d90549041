import type { ImapFlow } from "imapflow";
import { internalsOf, withResponses } from "./imapflow-internals.ts";

/** The result of a command, and for each of the commands behind it whether the server accepted it and how it refused. */
export interface OneWrite<A> {
  readonly answer: A;
  readonly accepted: ReadonlyArray<boolean>;
  /** The answer behind the tag, such as `NO [NONEXISTENT] gone`; undefined for a command that was not refused. */
  readonly refusals: ReadonlyArray<string | undefined>;
  /** The indexes of the commands in the order in which the server ended them. */
  readonly ended: ReadonlyArray<number>;
}

/**
 * Takes a response, or leaves it to imapflow. `at` is the index of the command behind that it answers: the one that an ESEARCH
 * names, otherwise the first after those that have ended. A server may run two searches at once (Dovecot), but no SELECT
 * beside other commands.
 */
export type Take = (payload: Buffer, literals: ReadonlyArray<Buffer>, at?: number) => boolean;

/** A literal, after which the server must be heard before more is written. */
const LITERAL = /\{\d+\+?\}$/;

/** The command that an ESEARCH answers (RFC 4731). */
const SEARCHED = /^\* ESEARCH \(TAG "([^"]{1,40})"\)/i;

/** How much of the answer to a command is read. */
const MAX_TEXT = 240;

/**
 * Runs a command with further commands in the same write, without imapflow's knowledge, and waits for all. Each
 * response is passed to `take` first; imapflow does not see those it takes. A command that is written in several pieces
 * is sent alone: none of the others is then accepted.
 */
export const inOneWrite = async <A>(
  client: ImapFlow,
  behind: ReadonlyArray<string>,
  take: Take,
  run: () => Promise<A>,
): Promise<OneWrite<A>> => {
  const internals = internalsOf(client);
  const write = internals.write!;
  // imapflow's own tags are hexadecimal.
  const tag = `N${internals.tagCounter}-`;
  const accepted = behind.map(() => false);
  const refusals = behind.map((): string | undefined => undefined);
  const ended = Promise.withResolvers<void>();
  let open = 0;
  const order: Array<number> = [];
  internals.write = (chunk) => {
    internals.write = write;
    const text = chunk.toString("latin1");
    if (LITERAL.test(text)) return write.call(client, chunk);
    open = behind.length;
    write.call(client, [text, ...behind.map((line, n) => `${tag}${n} ${line}`)].join("\r\n"));
  };
  client.once("close", ended.resolve);
  const sort = (payload: Buffer, literals: ReadonlyArray<Buffer>): boolean => {
    const text = payload.toString("latin1", 0, MAX_TEXT);
    const named = SEARCHED.exec(text)?.[1];
    const at = named?.startsWith(tag) === true ? Number(named.slice(tag.length)) : order.length;
    if (take(payload, literals, at)) return true;
    if (!text.startsWith(tag)) return false;
    const [, n, said = ""] = /^(\d+) (.*)/.exec(text.slice(tag.length)) ?? [];
    order.push(Number(n));
    accepted[Number(n)] = /^OK\b/i.test(said);
    if (!accepted[Number(n)]) refusals[Number(n)] = said;
    if (--open === 0) ended.resolve();
    return true;
  };
  try {
    const answer = await withResponses(client, sort, async () => {
      try {
        return await run();
      } finally {
        if (open > 0) await ended.promise;
      }
    });
    return { answer, accepted, refusals, ended: order };
  } finally {
    internals.write = write;
    client.off("close", ended.resolve);
  }
};
