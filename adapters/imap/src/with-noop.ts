import type { ImapFlow } from "imapflow";
import { internalsOf, withResponses } from "./imapflow-internals.ts";

/** Whether a response is a row of a listing. */
export const isListed = (payload: Buffer): boolean => /^\* (LIST|STATUS) /i.test(payload.toString("latin1", 0, 9));

/**
 * Runs a command with a NOOP in the same write, without imapflow's knowledge, and waits for both. The answer is stale
 * if the server announced a change or refused the NOOP.
 */
export const withNoop = async <A>(
  client: ImapFlow,
  take: (payload: Buffer, literals: ReadonlyArray<Buffer>) => boolean,
  run: () => Promise<A>,
): Promise<{ readonly answer: A; readonly isStale: boolean }> => {
  const internals = internalsOf(client);
  const write = internals.write!.bind(client);
  // imapflow's own tags are hexadecimal.
  const tag = `N${internals.tagCounter}`;
  const noop = Promise.withResolvers<void>();
  let isSent = false;
  let isStale = false;
  internals.write = (chunk) => {
    delete internals.write;
    isSent = true;
    write(`${chunk.toString("latin1")}\r\n${tag} NOOP`);
  };
  client.once("close", noop.resolve);
  const sort = (payload: Buffer, literals: ReadonlyArray<Buffer>): boolean => {
    if (take(payload, literals)) return true;
    const text = payload.toString("latin1", 0, 20);
    if (text.startsWith("* ") && !isListed(payload)) isStale = true;
    if (!text.startsWith(`${tag} `)) return false;
    if (!text.startsWith(`${tag} OK`)) isStale = true;
    noop.resolve();
    return true;
  };
  try {
    const answer = await withResponses(client, sort, async () => {
      try {
        return await run();
      } finally {
        if (isSent) await noop.promise;
      }
    });
    return { answer, isStale };
  } finally {
    delete internals.write;
    client.off("close", noop.resolve);
  }
};
