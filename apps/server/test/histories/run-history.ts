import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Dovecot, freePort, Postgres, ScriptedSmtp } from "@postern/testkit";
import { Effect } from "effect";
import { cuttingProxy } from "../cutting-proxy.ts";
import { sharedKeys } from "../server-nodes.ts";
import type { History } from "./History.ts";
import { runClient, type Shared } from "./random-client.ts";
import { randomChoice } from "./RandomChoice.ts";

/** The place of a history: one process on SQLite or PostgreSQL, or two processes on one PostgreSQL. */
export const WORLDS = ["sqlite", "postgres", "two-nodes"] as const;
export type World = (typeof WORLDS)[number];

/** Faults that a history had. */
export interface Faults {
  kills: number;
  pauses: number;
  cuts: number;
}

const CLIENTS = 4;
const MESSAGES = 8;
const USER = { email: "ada@x.test", password: "pass" };
/** How long the sending of accepted messages may take after the end of the faults. */
const SETTLE_MILLIS = 120_000;

const node = async (environment: Readonly<Record<string, string>>) => {
  const port = String(await freePort());
  const base = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const start = async () => {
    child = spawn(process.execPath, ["--conditions=@postern/source", "apps/server/start.mjs"], {
      env: { PATH: process.env["PATH"], ...environment, PORT: port },
      stdio: "ignore",
    });
    while (child.exitCode === null) {
      if (
        await fetch(`${base}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        return;
      await sleep(50);
    }
    throw new Error(`the server ended with ${child.exitCode}`);
  };
  const kill = async () => {
    if (child === undefined || child.exitCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  const pause = async (millis: number) => {
    child?.kill("SIGSTOP");
    await sleep(millis);
    child?.kill("SIGCONT");
  };
  return { base, start, kill, pause };
};

/** Runs random clients against real servers and processes, with kills, pauses and cut connections; returns their history. */
export const runHistory = (world: World, seed: number, seconds: number) =>
  Effect.gen(function* () {
    const [dovecot, smtp] = [yield* Dovecot, yield* ScriptedSmtp];
    yield* dovecot.setPassword(USER.email, USER.password);
    smtp.setPassword(USER.email, USER.password);
    yield* dovecot.deliver(
      USER.email,
      "INBOX",
      Array.from({ length: MESSAGES }, (_, n) => ({
        raw: `From: ann@y.test\r\nSubject: ${n}\r\nMessage-ID: <${n}@y.test>\r\n\r\nx\r\n`,
        arrivedAt: 1_700_000_000_000 + n,
      })),
    );
    const imap = yield* cuttingProxy(dovecot.port);
    const dataDir = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "history-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
    );
    const shares =
      world === "sqlite"
        ? {}
        : { DATABASE_URL: yield* (yield* Postgres).newDatabase, ...(yield* Effect.promise(sharedKeys)) };
    const nodes = yield* Effect.acquireRelease(
      Effect.promise(() =>
        Promise.all(
          Array.from({ length: world === "two-nodes" ? 2 : 1 }, () =>
            node({
              DATA_DIR: dataDir,
              IMAP_URL: `imap://127.0.0.1:${imap.port}`,
              SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
              SEND_RATE_PER_MINUTE: "100000",
              SEND_RATE_PER_DAY: "100000",
              ...shares,
            }),
          ),
        ),
      ),
      (all) => Effect.promise(() => Promise.all(all.map(({ kill }) => kill()))),
    );
    for (const { start } of nodes) yield* Effect.promise(start);
    return yield* Effect.promise(() => observe({ nodes, imap, smtp, seed, seconds }));
  }).pipe(Effect.scoped);

interface Running {
  readonly nodes: ReadonlyArray<Awaited<ReturnType<typeof node>>>;
  readonly imap: { readonly arrange: (nth: number, when: "before" | "after") => void };
  readonly smtp: ScriptedSmtp["Service"];
  readonly seed: number;
  readonly seconds: number;
}

const observe = async ({ nodes, imap, smtp, seed, seconds }: Running) => {
  const random = randomChoice(seed);
  const base = () => random.of(nodes)!.base;
  const get = async (token: string, path: string) =>
    (await fetch(nodes[0]!.base + path, { headers: { authorization: `Bearer ${token}` } })).json() as any;
  const login = await fetch(`${nodes[0]!.base}/api/auth/mobile-login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(USER),
  });
  const { token } = (await login.json()) as { readonly token: string };
  const shared: Shared = {
    steps: [],
    drafts: new Map(),
    messages: (await get(token, "/api/inbox?limit=50")).emails.map(({ id }: { id: string }) => id),
    folders: new Map(),
    scheduled: new Map(),
    keys: [],
    sessions: new Set(),
  };

  const end = performance.now() + seconds * 1_000;
  const clients = Array.from({ length: CLIENTS }, (_, n) =>
    runClient(`c${n}`, base, USER, shared, randomChoice(seed * 1_000 + n), end),
  );
  const faults: Faults = { kills: 0, pauses: 0, cuts: 0 };
  while (performance.now() < end) {
    await sleep(500 + random.below(2_500));
    const place = random.of(nodes)!;
    const kind = random.below(4);
    if (kind === 0) {
      faults.kills++;
      await place.kill();
      await place.start();
    } else if (kind === 1) {
      faults.pauses++;
      await place.pause(random.below(3_000));
    } else if (kind === 2) {
      faults.cuts++;
      imap.arrange(1 + random.below(10), random.below(2) === 0 ? "before" : "after");
    } else {
      faults.cuts++;
      smtp.hangUp();
    }
  }
  imap.arrange(0, "before");
  await Promise.all(clients);

  const outbox = async () =>
    (await get(token, "/api/outbox")).data as ReadonlyArray<{ readonly state: string; readonly subject: string }>;
  for (const began = performance.now(); performance.now() - began < SETTLE_MILLIS; await sleep(500))
    if ((await outbox()).every(({ state }) => !["queued", "scheduled", "sending"].includes(state))) break;
  const unknown = (await outbox()).filter(({ state }) => state === "unknown").map(({ subject }) => subject);
  const taken = smtp.taken().map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1] ?? "");
  const history: History = { steps: shared.steps, taken, unknown };
  return { history, faults };
};
