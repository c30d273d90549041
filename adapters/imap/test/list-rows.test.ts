import { assert, it } from "@effect/vitest";
import fc from "fast-check";
import type { ImapFlow, ListResponse } from "imapflow";
import list from "imapflow/lib/commands/list.js";
import parser from "imapflow/lib/handler/imap-parser.js";
import { decodePath } from "imapflow/lib/tools.js";
import type { Untagged } from "../src/wire/imapflow-internals.ts";
import { readListRow } from "../src/rows/list-row.ts";
import { ListingRows } from "../src/rows/ListingRows.ts";

interface Row {
  readonly payload: Buffer;
  readonly literals: ReadonlyArray<Buffer>;
}

const row = (text: string, ...literals: ReadonlyArray<string>): Row => ({
  payload: Buffer.from(text),
  literals: literals.map((literal) => Buffer.from(literal)),
});

/** Returns imapflow's result for a row, without the notation; undefined for a row that imapflow cannot read. */
const byImapflow = async ({ payload, literals }: Row): Promise<Untagged | undefined> => {
  const valuesOf = (token: unknown): never =>
    (Array.isArray(token)
      ? token.map(valuesOf)
      : token && { value: String((token as { value: unknown }).value) }) as never;
  try {
    const { command, attributes = [] } = await parser(payload, { literals: [...literals] } as never);
    return { command: command!, attributes: attributes.map(valuesOf) };
  } catch {
    return undefined;
  }
};

const NAMES = ["INBOX", "Inbox", "Sent", "Work/2025", "Entw&APw-rfe", "a\\b", 'say "x"', "Grüße", "NIL", "{3}", " "];
const name = fc.oneof(
  fc.constantFrom(...NAMES),
  fc.string({ unit: "grapheme", maxLength: 9 }).filter((text) => !/[\r\n\0]/.test(text)),
);
const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
const isAtom = (text: string): boolean => /^[\w&/.-]+$/.test(text) && text !== "NIL";
const flags = fc.subarray([
  "\\HasChildren",
  "\\HasNoChildren",
  "\\Noselect",
  "\\NonExistent",
  "\\Marked",
  "\\Sent",
  "\\Junk",
]);
const items = fc.subarray([
  "MESSAGES 5",
  "UNSEEN 2",
  "UIDNEXT 9",
  "UIDVALIDITY 1763723008",
  "MAILBOXID (F1)",
  "SIZE x",
]);

const written = fc
  .tuple(name, fc.constantFrom("as it may", "quoted", "literal"))
  .map(([text, notation]): [string, ReadonlyArray<string>] =>
    notation === "literal"
      ? [`{${Buffer.byteLength(text)}}\r\n`, [text]]
      : [notation === "quoted" || !isAtom(text) ? quoted(text) : text, []],
  );
const listRow = fc
  .tuple(flags, fc.constantFrom('"/"', '"."', "NIL"), written)
  .map(([flags, delimiter, [name, literals]]) => row(`* LIST (${flags.join(" ")}) ${delimiter} ${name}`, ...literals));
const statusRow = fc
  .tuple(written, items)
  .map(([[name, literals], items]) => row(`* STATUS ${name} (${items.join(" ")})`, ...literals));
const anyRow = fc.oneof(listRow, statusRow);

it("reads every row in the grammar like imapflow, without leaving one to it", async () => {
  await fc.assert(
    fc.asyncProperty(anyRow, async (row) => {
      assert.deepStrictEqual(readListRow(row.payload, row.literals), await byImapflow(row));
    }),
    { numRuns: 2_000 },
  );
});

it("reads a damaged row like imapflow or leaves it to imapflow", async () => {
  const broken = fc
    .tuple(
      anyRow,
      fc.nat({ max: 60 }),
      fc.nat({ max: 3 }),
      fc.constantFrom("", " ", '"', "(", ")", "\\", "{1}", "*", "x"),
    )
    .map(([{ payload, literals }, at, cut, instead]) => {
      const text = payload.toString();
      return row(text.slice(0, at) + instead + text.slice(at + cut), ...literals.map(String));
    });
  await fc.assert(
    fc.asyncProperty(broken, async (row) => {
      const read = readListRow(row.payload, row.literals);
      if (read !== undefined) assert.deepStrictEqual(read, await byImapflow(row));
    }),
    { numRuns: 4_000 },
  );
});

it.each([
  ["another answer", row("* 4 EXISTS")],
  ["a tagged answer", row("A1 OK done")],
  ["an XLIST", row('* XLIST (\\Inbox) "/" Eingang')],
  ["what an extension adds", row('* LIST () "/" a ("CHILDINFO" ("SUBSCRIBED"))')],
  ["a name that is missing", row('* LIST () "/" ')],
  ["counts that are no list", row("* STATUS INBOX 5")],
  ["counts of nothing", row("* STATUS NIL (MESSAGES 5)")],
  ["a literal that is missing", row('* LIST () "/" {3}\r\n')],
])("leaves %s to imapflow", (_, { payload, literals }) => {
  assert.isUndefined(readListRow(payload, literals));
});

/** A connection whose server answers LIST with the current rows. */
const connection = () => {
  let heard: Record<string, (untagged: unknown) => Promise<void>> = {};
  const state: { rows: ReadonlyArray<Row>; take: (row: Row) => boolean } = { rows: [], take: () => false };
  const client = {
    capabilities: new Map([
      ["LIST-STATUS", true],
      ["SPECIAL-USE", true],
      ["LIST-EXTENDED", true],
    ]),
    enabled: new Set(),
    skipLsub: true,
    skipListSubscribedArg: true,
    log: { warn: () => {} },
    getUntaggedHandler: (command: string) => heard[command.toUpperCase()],
    run: () => Promise.resolve({ messages: 0 }),
    exec: async (_: string, __: unknown, { untagged }: { untagged: typeof heard }) => {
      heard = untagged;
      for (const each of [...state.rows, row("A1 OK done")]) {
        if (state.take(each)) continue;
        const parsed = await parser(each.payload, { literals: [...each.literals] } as never).catch(() => undefined);
        await heard[parsed?.command ?? ""]?.(parsed);
      }
      heard = {};
      return { next: () => {} };
    },
  };
  const listed = async (): Promise<ReadonlyArray<ListResponse>> =>
    (await list(client as never, "", "*", { statusQuery: { messages: true, unseen: true } })) as never;
  return {
    byImapflow: (rows: ReadonlyArray<Row>) => {
      Object.assign(state, { rows, take: () => false });
      return listed();
    },
    byRows: async (rows: ReadonlyArray<Row>) => {
      const listing = new ListingRows(client as unknown as ImapFlow);
      Object.assign(state, { rows, take: ({ payload, literals }: Row) => listing.take(payload, literals) });
      return listing.entries(await listed());
    },
  };
};

const plain = (entries: ReadonlyArray<ListResponse>) =>
  entries.map(({ path, delimiter, flags, specialUse, specialUseSource, status }) => ({
    path,
    delimiter,
    flags,
    specialUse,
    specialUseSource,
    status: status as unknown,
  }));

it("lists like imapflow while mailboxes and counts change between listings", async () => {
  const mailbox = fc.record({
    // imapflow gives INBOX the counts of a mailbox without a name.
    name: name.filter((text) => decodePath({ enabled: new Set(), capabilities: new Map() } as never, text) !== ""),
    flags,
    items,
    hasStatus: fc.boolean(),
    isUnreadable: fc.nat({ max: 19 }),
  });
  const mailboxes = fc.uniqueArray(mailbox, { selector: ({ name }) => name, minLength: 1, maxLength: 6 });
  const changes = fc.array(
    fc.record({
      counts: fc.nat({ max: 99 }),
      keep: fc.constantFrom<ReadonlyArray<number>>([9, 9], [9, 9], [9, 9], [0, 2], [1, 9], [2, 3]),
      news: fc.constantFrom("", "", "* 5 EXISTS", "* STATUS INBOX 5", "* STATUS NIL (MESSAGES 5)"),
    }),
    { minLength: 2, maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(mailboxes, changes, async (all, changes) => {
      const connected = connection();
      for (const { counts, keep, news } of changes) {
        const shown = keep[0] === 9 ? all : all.slice(keep[0], keep[1]);
        const rows = shown.flatMap(({ name, flags, items, hasStatus, isUnreadable }) => [
          row(`* LIST (${flags.join(" ")}) "/" ${isUnreadable === 0 ? "a[b" : quoted(name)}`),
          ...(hasStatus ? [row(`* STATUS ${quoted(name)} (${[...items, `MESSAGES ${counts}`].join(" ")})`)] : []),
          ...(news === "" ? [] : [row(news)]),
        ]);
        assert.deepStrictEqual(plain(await connected.byRows(rows)), plain(await connected.byImapflow(rows)));
      }
    }),
    { numRuns: 500 },
  );
});
