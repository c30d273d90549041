import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@postern/testkit";
import { Effect } from "effect";
import { startFloor } from "../processes/floor-process.ts";
import type { BareHttpAnswer } from "../floors/bare-http.ts";
import type { ImapJob } from "../floors/imapflow.ts";
import type { Group, Plan } from "./group.ts";
import { httpLoad } from "../load/http-load.ts";
import { ACCOUNTS, mailServer, PASSWORD } from "../processes/mail-server.ts";
import { measureAll, type Operation } from "./measure.ts";
import { residentMiB } from "../figures/process-figures.ts";
import { mailAt, type RunningService, signIn, startService } from "../processes/service.ts";
import type { Run } from "../figures/statistics.ts";

/** The number of connections to the mail server, the same as the service uses for an account. */
const IMAP_CONNECTIONS = 3;

const [ten, hundred] = ACCOUNTS;

const PAGES = [
  { name: "page 1, 10k", account: ten, query: "", number: 1 },
  { name: "page 100, 10k", account: ten, query: "&page=100", number: 100 },
  { name: "cursor, 10k", account: ten, query: "cursor", number: 2 },
  { name: "page 1, 100k", account: hundred, query: "", number: 1 },
  { name: "page 100, 100k", account: hundred, query: "&page=100", number: 100 },
  { name: "cursor, 100k", account: hundred, query: "cursor", number: 2 },
] as const;

export const MEMORY = "memory after the load";
/** The time in which the process may return memory, in milliseconds. */
const REST = 60_000;

/** Memory of the process after the other rows of the group, in MiB. */
export interface MemoryRow {
  readonly operation: typeof MEMORY;
  readonly atOnce: number;
  readonly aMinuteLater: number;
}

/** Folders, pages, sign-in and token check, compared with imapflow on persistent connections and bare http. */
export const reading: Group = {
  rows: ["folders (45)", ...PAGES.map(({ name }) => name), "sign-in", "token check", MEMORY],
  inQuick: true,
  mail: "generated",
  run: (bench) =>
    Effect.gen(function* () {
      const dovecot = yield* mailServer(bench.say);
      return yield* Effect.promise(async () => {
        const service = await startService(await freePort(), mailAt(dovecot.port));
        const bareHttp = startFloor<object, BareHttpAnswer>("bare-http.ts");
        const imapflow = startFloor<ImapJob, Run>("imapflow.ts");
        const operations = await operationsOf(bench.plan, dovecot.port, service, bareHttp, imapflow.run);
        const { text, lines } = await measureAll(bench, operations);
        const memory = bench.wants(MEMORY) && !bench.plan.quick ? [await memoryAfter(service)] : [];
        await service.stop();
        bareHttp.stop();
        imapflow.stop();
        const told = memory.map(
          ({ atOnce, aMinuteLater }) => `memory after the load ${atOnce} MiB, a minute later ${aMinuteLater} MiB`,
        );
        return { text: [text, ...told].join("\n"), lines: [...lines, ...memory] };
      });
    }),
};

const memoryAfter = async ({ pid }: RunningService): Promise<MemoryRow> => {
  const atOnce = Math.round(residentMiB(pid));
  await sleep(REST);
  return { operation: MEMORY, atOnce, aMinuteLater: Math.round(residentMiB(pid)) };
};

const operationsOf = async (
  { millis }: Plan,
  mailPort: number,
  { base, pid }: RunningService,
  bareHttp: { readonly pid: number; readonly run: (job: object) => Promise<BareHttpAnswer> },
  imapflow: (job: ImapJob) => Promise<Run>,
): Promise<ReadonlyArray<Operation>> => {
  const tokens = new Map<string, string>();
  for (const { user } of ACCOUNTS) tokens.set(user, await signIn(base, user, PASSWORD));
  const authorized = (user: string) => ({ authorization: `Bearer ${tokens.get(user)}` });
  const get = (path: string, user: string) => (connections: number) =>
    httpLoad({ url: base + path, headers: authorized(user), connections, millis, pid, base });
  const bare = (path: string, port: number) => (connections: number) =>
    httpLoad({ url: `http://127.0.0.1:${port}${path}`, connections, millis, pid: bareHttp.pid });
  const imap = (operation: ImapJob["operation"], user: string, page?: number) => (connections: number) =>
    imapflow({
      port: mailPort,
      user,
      password: PASSWORD,
      operation,
      millis,
      ...(page === undefined ? {} : { page }),
      connections: Math.min(connections, IMAP_CONNECTIONS),
    });
  const cursorOf = async (user: string) => {
    const answer = await fetch(`${base}/api/inbox?limit=50`, { headers: authorized(user) });
    const { nextCursor } = (await answer.json()) as { readonly nextCursor: string };
    return `&cursor=${nextCursor}`;
  };
  const login = (connections: number) =>
    httpLoad({
      url: `${base}/api/auth/mobile-login`,
      method: "POST",
      connections,
      millis,
      pid,
      base,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: ten.user, password: PASSWORD }),
    });
  const pages: Array<Operation> = [];
  for (const { name, account, query, number } of PAGES) {
    const rest = query === "cursor" ? await cursorOf(account.user) : query;
    const ours = get(`/api/inbox?limit=50${rest}`, account.user);
    pages.push({ name, floor: "imapflow", ours, beside: imap("page", account.user, number) });
  }
  const ports = await bareHttp.run({});
  const limits = get("/api/limits", ten.user);
  return [
    {
      name: "folders (45)",
      floor: "imapflow",
      ours: get("/api/folders", ten.user),
      beside: imap("folders", ten.user),
    },
    ...pages,
    { name: "sign-in", floor: "imapflow", ours: login, beside: imap("login", ten.user) },
    { name: "token check", floor: "bare HttpApi route", ours: limits, beside: bare("/schema", ports.httpApi) },
    { name: "token check", floor: "bare node:http", ours: limits, beside: bare("/", ports.bareHttp) },
  ];
};
