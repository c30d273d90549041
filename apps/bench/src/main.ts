import { fork } from "node:child_process";
import { parseArgs } from "node:util";
import { Dovecot, freePort } from "@postern/testkit";
import { Effect } from "effect";
import { besideDownloads, bigMailbox } from "./downloads.ts";
import { httpLoad } from "./http-load.ts";
import { startImapflow } from "./imapflow-floor.ts";
import { ACCOUNTS, CACHE, mailServer, PASSWORD } from "./mail-server.ts";
import { residentMiB } from "./process-figures.ts";
import { type RunningService, signIn, startService } from "./service.ts";
import { median, medianRun, type Run } from "./statistics.ts";
import { ratio, type Row, tableOf } from "./table.ts";

const HELP = `npm run bench -- [options]

Measures the service beside its floors in one run: raw imapflow on kept connections, bare node:http and a bare route
of the framework. Starts everything itself; generated mail is cached.

  --quick        under a minute: fewer connections, one short repeat
  --only TEXT    operations whose name contains this
  --json         one line of JSON per row
  --help`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const PLAN = values.quick
  ? { connections: [1, 8], repeats: 1, millis: 900, starts: 2 }
  : { connections: [1, 8, 32], repeats: 3, millis: 3000, starts: 5 };

const DOWNLOADS = "downloads";

/** As many connections to the mail server as the service itself may use for an account. */
const IMAP_CONNECTIONS = 3;

interface Operation {
  readonly name: string;
  readonly floor: string;
  readonly ours: (connections: number) => Promise<Run>;
  readonly beside: (connections: number) => Promise<Run>;
}

const say = (progress: string) => process.stderr.write(`${progress}\n`);

const [ten, hundred] = ACCOUNTS;

const operations = async (mailPort: number, service: RunningService, floors: { port: number; pid: number }) => {
  const imapflow = startImapflow();
  const { base, pid } = service;
  const tokens = { ten: await signIn(base, ten.user, PASSWORD), hundred: await signIn(base, hundred.user, PASSWORD) };
  const get = (path: string, token: string) => (connections: number) =>
    httpLoad({
      url: base + path,
      headers: { authorization: `Bearer ${token}` },
      connections,
      millis: PLAN.millis,
      pid,
    });
  const bare = (path: string, port: number) => (connections: number) =>
    httpLoad({ url: `http://127.0.0.1:${port}${path}`, connections, millis: PLAN.millis, pid: floors.pid });
  const imap = (operation: "folders" | "page" | "login", user: string, page?: number) => (connections: number) =>
    imapflow.run({
      port: mailPort,
      user,
      password: PASSWORD,
      operation,
      millis: PLAN.millis,
      ...(page === undefined ? {} : { page }),
      connections: Math.min(connections, IMAP_CONNECTIONS),
    });
  const cursorOf = async (token: string) => {
    const answer = await fetch(`${base}/api/inbox?limit=50`, { headers: { authorization: `Bearer ${token}` } });
    const { nextCursor } = (await answer.json()) as { readonly nextCursor: string };
    return `/api/inbox?limit=50&cursor=${nextCursor}`;
  };
  const login = (connections: number) =>
    httpLoad({
      url: `${base}/api/auth/mobile-login`,
      method: "POST",
      connections,
      millis: PLAN.millis,
      pid,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: ten.user, password: PASSWORD }),
    });
  const page = (name: string, path: string, token: string, user: string, number: number): Operation => ({
    name,
    floor: "imapflow",
    ours: get(path, token),
    beside: imap("page", user, number),
  });
  const list: ReadonlyArray<Operation> = [
    {
      name: "folders (45)",
      floor: "imapflow",
      ours: get("/api/folders", tokens.ten),
      beside: imap("folders", ten.user),
    },
    page("page 1, 10k", "/api/inbox?limit=50", tokens.ten, ten.user, 1),
    page("page 100, 10k", "/api/inbox?limit=50&page=100", tokens.ten, ten.user, 100),
    page("cursor, 10k", await cursorOf(tokens.ten), tokens.ten, ten.user, 2),
    page("page 1, 100k", "/api/inbox?limit=50", tokens.hundred, hundred.user, 1),
    page("page 100, 100k", "/api/inbox?limit=50&page=100", tokens.hundred, hundred.user, 100),
    page("cursor, 100k", await cursorOf(tokens.hundred), tokens.hundred, hundred.user, 2),
    { name: "sign-in", floor: "imapflow", ours: login, beside: imap("login", ten.user) },
    {
      name: "token check",
      floor: "bare HttpApi route",
      ours: get("/api/limits", tokens.ten),
      beside: bare("/schema", floors.port + 1),
    },
    {
      name: "token check",
      floor: "bare node:http",
      ours: get("/api/limits", tokens.ten),
      beside: bare("/", floors.port),
    },
  ];
  return { list: list.filter(({ name }) => name.includes(values.only)), stop: imapflow.stop };
};

/** The two sides take turns, so that a machine that slows down slows both. */
const measure = async ({ name, floor, ours, beside }: Operation, connections: number): Promise<Row> => {
  const runs: { readonly ours: Array<Run>; readonly beside: Array<Run> } = { ours: [], beside: [] };
  for (let n = 0; n < PLAN.repeats; n++) {
    runs.ours.push(await ours(connections));
    runs.beside.push(await beside(connections));
  }
  return { operation: name, connections, floor, ours: medianRun(runs.ours), beside: medianRun(runs.beside) };
};

const startFloors = async () => {
  const port = await freePort();
  const child = fork(new URL("./floors/bare-http.ts", import.meta.url), [String(port)]);
  for (;;) {
    const up = await Promise.all(
      [port, port + 1].map((each) => fetch(`http://127.0.0.1:${each}/schema`).catch(() => undefined)),
    );
    if (up.every((answer) => answer !== undefined)) break;
  }
  return { port, pid: child.pid!, stop: () => child.kill() };
};

const bench = Effect.gen(function* () {
  const dovecot = yield* mailServer(say);
  if (DOWNLOADS.includes(values.only)) yield* bigMailbox(dovecot);
  const mail = { IMAP_URL: `imap://127.0.0.1:${dovecot.port}`, SMTP_URL: "smtp://127.0.0.1:9" };
  yield* Effect.promise(async () => {
    const starts: Array<number> = [];
    const resident: Array<number> = [];
    for (let n = 0; n < PLAN.starts; n++) {
      const fresh = await startService(await freePort(), mail);
      await signIn(fresh.base, ten.user, PASSWORD);
      starts.push(fresh.startMillis);
      resident.push(residentMiB(fresh.pid));
      await fresh.stop();
    }
    const service = await startService(await freePort(), mail);
    const floors = await startFloors();
    const { list, stop } = await operations(dovecot.port, service, floors);
    const rows: Array<Row> = [];
    for (const operation of list) {
      for (const connections of PLAN.connections) {
        const row = await measure(operation, connections);
        rows.push(row);
        say(
          `${row.operation} at ${connections}: ${row.ours.perSecond.toFixed(0)}/s, ${ratio(row).toFixed(2)} × ${row.floor}`,
        );
      }
    }
    const downloads = DOWNLOADS.includes(values.only) ? await besideDownloads(service) : undefined;
    const figures = {
      startMillis: Math.round(median(starts)),
      residentMiB: Math.round(median(resident)),
      residentAfterLoadMiB: Math.round(residentMiB(service.pid)),
    };
    await service.stop();
    floors.stop();
    stop();
    if (values.json) for (const line of [...rows, figures, downloads ?? {}]) console.log(JSON.stringify(line));
    else {
      console.log(`\n${tableOf(rows)}\n`);
      console.log(
        downloads === undefined
          ? ""
          : `20 downloads of 25 MiB: ${downloads.downloadSeconds.toFixed(1)} s · a page of 50 beside them ${downloads.beside.toFixed(1)} ms, alone ${downloads.alone.toFixed(1)} ms · memory ${Math.round(downloads.residentBefore)} MiB before, ${Math.round(downloads.residentMost)} MiB at most`,
      );
      console.log(
        `start to ready ${figures.startMillis} ms · memory with one account ${figures.residentMiB} MiB, after the load ${figures.residentAfterLoadMiB} MiB`,
      );
    }
  });
}).pipe(Effect.provide(Dovecot.layer({ home: CACHE })));

if (values.help) console.log(HELP);
else {
  await Effect.runPromise(bench);
  process.exit(0);
}
