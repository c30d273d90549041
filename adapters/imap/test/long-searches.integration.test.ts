import { assert, it } from "@effect/vitest";
import { rawServer } from "@postern/testkit";
import { Effect } from "effect";
import { ImapFlow } from "imapflow";
import { boundResponses } from "../src/wire/bound-responses.ts";
import { readLongSearches } from "../src/wire/read-long-searches.ts";
import { searchRanges, searchUids } from "../src/reading/search-uids.ts";

const UIDS = Array.from({ length: 1_200_000 }, (_, n) => 1_000_000 + 2 * n);
const EXPECTED = { first: UIDS[0], last: UIDS.at(-1), count: UIDS.length };

/** A server that answers each search with these lines. */
const answering = (line: (tag: string) => string) =>
  rawServer((socket) => {
    socket.write("* OK [CAPABILITY IMAP4rev1 ESEARCH] ready\r\n");
    let rest = "";
    socket.on("data", (bytes) => {
      const lines = (rest + bytes.toString("latin1")).split("\r\n");
      rest = lines.pop() ?? "";
      for (const text of lines) {
        const [tag = "", verb = "", sub = ""] = text.split(" ");
        if (verb === "EXAMINE") socket.write("* 9 EXISTS\r\n* OK [UIDVALIDITY 7] v\r\n* OK [UIDNEXT 9] n\r\n");
        if (sub === "SEARCH") socket.write(`${line(tag)}\r\n`);
        socket.write(`${tag} OK done\r\n`);
      }
    });
  });

const connected = (port: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const auth = { user: "jane", pass: "secret" };
      const client = new ImapFlow({ host: "127.0.0.1", port, secure: false, auth, logger: false });
      client.on("error", () => {});
      boundResponses(client, () => {});
      readLongSearches(client);
      await client.connect();
      await client.mailboxOpen("INBOX", { readOnly: true });
      return client;
    }),
    (client) => Effect.sync(() => client.close()),
  );

/** Returns the CPU time of this thread in milliseconds, without the CPU time of other processes. */
const spent = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Returns the result, and the largest CPU time of one turn of the event loop in milliseconds. */
const timed = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    let [last, longest] = [spent(), 0];
    const timer = setInterval(() => {
      const now = spent();
      [last, longest] = [now, Math.max(longest, now - last)];
    }, 1);
    const result = yield* effect;
    clearInterval(timer);
    return [result, longest] as const;
  });

it.live.each([
  ["ESEARCH", (tag: string) => `* ESEARCH (TAG "${tag}") UID COUNT 9 ALL ${UIDS.join(",")}`],
  ["SEARCH", () => `* SEARCH ${UIDS.join(" ")}`],
  ["SEARCH with two spaces and a mod-sequence", () => `* SEARCH  ${UIDS.join("  ")}  (MODSEQ 917)`],
] as const)("a long answer by %s is read, and stops the process for no second", ([, line]) =>
  Effect.gen(function* () {
    const { port } = yield* answering(line);
    const client = yield* connected(port);
    const [ranges, stopped] = yield* timed(searchRanges(client, "1:*", 60_000));
    const counted = { first: ranges[0]?.[0], last: ranges.at(-1)?.[1], count: ranges.length };
    assert.deepStrictEqual(counted, EXPECTED);
    assert.isBelow(stopped, 1_000);
  }).pipe(Effect.scoped),
);

it.live("a long line that is no answer to a search ends the connection", () =>
  Effect.gen(function* () {
    const { port } = yield* answering(() => `* SEARCH ${UIDS.join(" ")} x`);
    const client = yield* connected(port);
    const [error] = yield* timed(Effect.flip(searchUids(client, "1:*", 60_000)));
    assert.strictEqual(error.reason, "flood");
  }).pipe(Effect.scoped),
);
