import { setTimeout as sleep } from "node:timers/promises";
import { openConversation, freePort } from "@postern/testkit";
import { Effect } from "effect";
import { measureAfterChanges } from "../load/measure-after-changes.ts";
import { EmailEngine } from "../processes/EmailEngine.ts";
import { startFloor } from "../processes/floor-process.ts";
import type { ImapJob } from "../floors/imapflow.ts";
import type { RawImapJob } from "../floors/raw-imap.ts";
import type { Bench, Group } from "./group.ts";
import { httpLoad } from "../load/http-load.ts";
import { ACCOUNTS, mailServer, PASSWORD } from "../processes/mail-server.ts";
import { measureAll, type Operation } from "./measure.ts";
import { cpuMillis } from "../figures/process-figures.ts";
import { mailAt, signIn, startService } from "../processes/service.ts";
import type { Run } from "../figures/statistics.ts";

/** The number of connections to the mail server, the same as the service uses for an account. */
const IMAP_CONNECTIONS = 3;

/** The cost of a page, by the kind of change since the last read. */
export const STATES = {
  cold: "page, cold",
  changed: "page, changed by one",
  unchanged: "page, unchanged",
  watched: "page, unchanged, max-age=5",
} as const;
const FOLDERS = "folders, beside EmailEngine";

/** The duration of the warm-up relative to a run, because these runs have few requests. */
const WARM_UP = 5;

const [{ user }] = ACCOUNTS;
const PAGE = "/api/inbox?limit=50&preview=false";

interface Node {
  readonly base: string;
  readonly pid: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A page of 50 of 10,000 messages: without cached data, after one change, and without a change. */
export const pages: Group = {
  rows: [...Object.values(STATES), FOLDERS],
  inQuick: true,
  mail: "generated",
  run: (bench) =>
    Effect.gen(function* () {
      const dovecot = yield* mailServer(bench.say);
      return yield* Effect.promise(async () => {
        const { millis } = bench.plan;
        const nodeWith = async (settings: Readonly<Record<string, string>>) => {
          const { base, pid, stop } = await startService(await freePort(), { ...mailAt(dovecot.port), ...settings });
          const headers = { authorization: `Bearer ${await signIn(base, user, PASSWORD)}` };
          return { base, pid, headers, stop };
        };
        const [forgetful, keeping] = [await nodeWith({ READ_CACHE_BYTES: "0" }), await nodeWith({})];
        const [imapflow, raw] = [startFloor<ImapJob, Run>("imapflow.ts"), startFloor<RawImapJob, Run>("raw-imap.ts")];
        const foreign = await openConversation("127.0.0.1", dovecot.port, user, PASSWORD);
        await foreign.command("SELECT INBOX");
        const engine =
          bench.emailEngine === undefined
            ? undefined
            : await EmailEngine.add(bench.emailEngine, { port: dovecot.port, user, password: PASSWORD });

        const job = { port: dovecot.port, user, password: PASSWORD, millis };
        const lanes = (connections: number) => Math.min(connections, IMAP_CONNECTIONS);
        const beside = (connections: number) =>
          imapflow.run({ ...job, operation: "page", connections: lanes(connections) });
        const page =
          (node: Node, more: Readonly<Record<string, string>> = {}) =>
          (connections: number) =>
            httpLoad({ ...node, url: node.base + PAGE, headers: { ...node.headers, ...more }, connections, millis });
        const cold = page(forgetful);
        let warmedUp: Promise<unknown> | undefined;
        const operations: Array<Operation> = [
          { name: STATES.cold, floor: "imapflow", ours: cold, beside },
          {
            name: STATES.cold,
            floor: "raw IMAP",
            ours: cold,
            beside: (connections) => raw.run({ ...job, connections: lanes(connections) }),
          },
          {
            name: STATES.changed,
            floor: "imapflow",
            alone: true,
            ours: async () => {
              await (warmedUp ??= afterEachChange(keeping, foreign.command, WARM_UP * millis));
              return await afterEachChange(keeping, foreign.command, millis);
            },
            beside: () => imapflow.run({ ...job, operation: "changed page", connections: 1 }),
          },
          { name: STATES.unchanged, floor: "imapflow", ours: page(keeping), beside },
        ];
        let watched: Promise<void> | undefined;
        operations.push({
          name: STATES.watched,
          floor: "imapflow",
          ours: async (connections) => {
            await (watched ??= watchInbox(keeping));
            return await page(keeping, { "cache-control": "max-age=5" })(connections);
          },
          beside,
        });
        if (engine !== undefined) operations.push(...besideEmailEngine(engine, forgetful, cold, bench));
        const report = await measureAll(bench, operations);
        await engine?.remove();
        foreign.close();
        for (const each of [forgetful, keeping, imapflow, raw]) await each.stop();
        return report;
      });
    }),
};

const besideEmailEngine = (
  engine: EmailEngine,
  node: Node,
  cold: Operation["ours"],
  { plan: { millis } }: Bench,
): ReadonlyArray<Operation> => [
  { name: STATES.cold, floor: "EmailEngine", ours: cold, beside: (connections) => engine.page(connections, millis) },
  {
    name: FOLDERS,
    floor: "EmailEngine",
    ours: (connections) => httpLoad({ ...node, url: `${node.base}/api/folders`, connections, millis }),
    beside: (connections) => engine.folders(connections, millis),
  },
];

/** Reads a page after each change of a flag by another client. */
const afterEachChange = async (
  { base, pid, headers }: Node,
  command: (...words: ReadonlyArray<string>) => Promise<string>,
  millis: number,
): Promise<Run> => {
  let reads = 0;
  const before = cpuMillis(pid);
  const run = await measureAfterChanges(
    async (n) => void (await command("STORE *", n % 2 === 0 ? "+FLAGS.SILENT" : "-FLAGS.SILENT", "(\\Flagged)")),
    async () => {
      reads++;
      const answer = await fetch(base + PAGE, { headers });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`a page was answered ${answer.status}`);
    },
    millis,
  );
  return { ...run, cpu: (cpuMillis(pid) - before) / reads };
};

/**
 * Opens a stream of events, so that the service watches INBOX, and waits until the service answers from its own state.
 */
const watchInbox = async ({ base, headers }: Node): Promise<void> => {
  await fetch(`${base}/api/events`, { headers });
  for (let tries = 0; tries < 30; tries++) {
    await sleep(500);
    const answer = await fetch(base + PAGE, { headers: { ...headers, "cache-control": "max-age=5" } });
    await answer.arrayBuffer();
    if (Number(answer.headers.get("age")) > 0) return;
  }
  throw new Error("no page was answered from memory within 15 s");
};
