import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";
import { assert, it } from "@effect/vitest";
import { MailboxTree } from "@postern/core/folders";
import { MailboxReader } from "@postern/core/messages";
import { layer as imap } from "@postern/imap";
import { StoresInMemory } from "@postern/memory";
import {
  describeWithDovecot,
  Dovecot,
  dovecotControl,
  freePort,
  crlfLines,
  MailServerControl,
  refusingProxy,
  signedInAccount,
  mailServersAt,
  nightly,
} from "@postern/testkit";
import { Effect, Layer, Redacted } from "effect";
import { cuttingProxy } from "./cutting-proxy.ts";
import { READY_PAUSE } from "./ready-pause.ts";

const FOLDERS = "/api/settings/folders";
const MESSAGES = 8;

const message = (n: number) =>
  crlfLines("From: a@example.org", `Message-ID: <${n}@example.org>`, `Subject: ${n}`, "", `Text ${n}.`);

/** Starts the server process over a mail server on this port; returns functions to call it. */
interface Running {
  readonly child: ChildProcess;
  readonly base: string;
}

const startService = async (imapPort: number, dataDir: string): Promise<Running> => {
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, ["--conditions=@postern/source", "apps/server/start.mjs"], {
    env: {
      PATH: process.env["PATH"],
      PORT: String(port),
      DATA_DIR: dataDir,
      IMAP_URL: `imap://127.0.0.1:${imapPort}`,
      SMTP_URL: "smtp://127.0.0.1:9",
    },
    stdio: "ignore",
  });
  const base = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    if ((await fetch(`${base}/health/ready`).catch(() => undefined))?.ok) break;
    await setTimeout(READY_PAUSE);
  }
  return { child, base };
};

const call = async (base: string, method: string, path: string, token?: string, json?: unknown) => {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  return { status: response.status, json: (await response.json()) as any };
};

/** A service on a Dovecot behind two proxies, with a signed-in account and direct access to its mailboxes. */
const world = Effect.gen(function* () {
  const dovecot = yield* Dovecot;
  const control = yield* MailServerControl;
  const tree = yield* MailboxTree;
  const reader = yield* MailboxReader;
  const { account, credential } = yield* signedInAccount;
  const refusing = yield* refusingProxy(dovecot.port);
  const proxy = yield* cuttingProxy(refusing.port);
  const dataDir = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "server-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
  );
  let service = yield* Effect.promise(() => startService(proxy.port, dataDir));
  yield* Effect.addFinalizer(() => Effect.sync(() => service.child.kill("SIGKILL")));
  const ask = (method: string, path: string, json?: unknown) =>
    Effect.promise(() => call(service.base, method, path, token, json).catch(() => ({ status: 0, json: undefined })));
  let token: string | undefined;
  const signedIn = yield* ask("POST", "/api/auth/mobile-login", {
    email: credential.username,
    password: Redacted.value(credential.password),
  });
  token = signedIn.json.token as string;

  return {
    proxy,
    refusing,
    ask,
    /** Returns the removals in the service's database, after the service has ended. */
    journaled: Effect.promise(async () => {
      if (service.child.signalCode === null) await once(service.child, "exit");
      const database = new DatabaseSync(join(dataDir, "postern.db"));
      const row = database.prepare("select count(*) as count from folder_removal").get();
      database.close();
      return row?.["count"];
    }),
    kill: () => void service.child.kill("SIGKILL"),
    restart: Effect.promise(async () => {
      if (service.child.signalCode === null) await once(service.child, "exit");
      service = await startService(proxy.port, dataDir);
    }),
    /** Makes a folder with messages and a subfolder, and a destination. */
    fill: Effect.fnUntraced(function* (nth: number) {
      const make = (name: string, parentId: string | null) => ask("POST", FOLDERS, { name, parentId });
      const top = (yield* make("Top", null)).json.data.id as string;
      yield* make("Below", top);
      const dest = (yield* make(`Dest ${nth}`, null)).json.data.id as string;
      for (let n = 0; n < MESSAGES; n++) {
        yield* control.append(account, n % 2 === 0 ? "Top" : "Top/Below", message(nth * MESSAGES + n));
      }
      return { removal: `${FOLDERS}/${top}?recursive=true&moveTo=${dest}`, dest: `${FOLDERS}/${dest}?permanent=true` };
    }),
    paths: Effect.map(tree.list(account), (listed) => listed.map(({ path }) => path)),
    /** Returns the subjects of all messages of the account or of one mailbox. */
    subjects: Effect.fnUntraced(
      function* (only: string | undefined) {
        const all: Array<string> = [];
        for (const { path, status } of yield* tree.list(account)) {
          if (status === null || (only !== undefined && path !== only)) continue;
          const messages = Effect.flatMap(reader.view(account, path), (view) => view.messages(1, view.total));
          all.push(...(yield* Effect.scoped(messages)).map(({ subject }) => subject));
        }
        return all;
      },
      // The mail server may execute a command after its connection was cut.
      Effect.retry({ while: ({ _tag }) => _tag === "FolderNotFound", times: 5 }),
    ),
  };
});

const over = (capabilities?: string) => {
  const direct = Layer.unwrap(
    Effect.map(Dovecot, ({ host, port }) =>
      Layer.provide(imap({ connectionsPerAccount: 6 }), mailServersAt({ host, port })),
    ),
  );
  return Layer.merge(direct, dovecotControl).pipe(
    Layer.provideMerge(StoresInMemory),
    Layer.provideMerge(Dovecot.layer(capabilities === undefined ? {} : { capabilities })),
  );
};

const numbers = (nth: number) => Array.from({ length: MESSAGES }, (_, n) => `${nth * MESSAGES + n}`);

describeWithDovecot("deleting a folder through the service", () => {
  for (const [what, capabilities, step] of [
    ["with MOVE", undefined, 2],
    ...nightly([
      ["without MOVE", "IMAP4rev1 LITERAL+ NAMESPACE UIDPLUS SPECIAL-USE", 5],
      ["without UIDPLUS too", "IMAP4rev1 LITERAL+ NAMESPACE SPECIAL-USE", 7],
    ]),
  ] as const) {
    for (const when of ["before", "after"] as const) {
      it.live(
        `${what}, the connection cut ${when} each of many chunks: no message is lost, and a repeat finishes it`,
        () =>
          Effect.gen(function* () {
            const { proxy, ask, fill, subjects, paths } = yield* world;
            for (let nth = 1; ; nth += step) {
              const { removal, dest } = yield* fill(nth);
              proxy.arrange(nth, when);
              const first = yield* ask("DELETE", removal);
              const struck = proxy.struck();
              proxy.arrange(0, when);
              assert.include([200, 502, 504], first.status, `cut ${nth}`);
              const all = yield* subjects(undefined);
              for (const number of numbers(nth)) {
                const copies = all.filter((subject) => subject === number).length;
                if (capabilities === undefined) assert.strictEqual(copies, 1, `message ${number}, cut ${nth}`);
                else assert.isAtLeast(copies, 1, `message ${number}, cut ${nth}`);
              }
              let again = first;
              while (again.status >= 500) {
                yield* Effect.sleep("100 millis");
                again = yield* ask("DELETE", removal);
              }
              assert.strictEqual(again.status, 200, `cut ${nth}: ${JSON.stringify(again.json)}`);
              assert.strictEqual(again.json.data.movedCount, MESSAGES, `cut ${nth}`);
              assert.sameMembers(yield* subjects(`Dest ${nth}`), numbers(nth), `cut ${nth}`);
              assert.isFalse(
                (yield* paths).some((path) => /Top|removal/.test(path)),
                `cut ${nth}`,
              );
              if (!struck) return assert.isAbove(nth, 15);
              // Without LIST-STATUS there is a command for each folder, so there would be too many chunks.
              assert.strictEqual((yield* ask("DELETE", dest)).status, 200);
            }
          }).pipe(Effect.scoped, Effect.provide(over(capabilities))),
        180_000,
      );
    }
  }

  it.live("a refusal by the mail server is final: no worker resumes the deletion, even after a restart", () =>
    Effect.gen(function* () {
      const { refusing, ask, fill, subjects, journaled, kill, restart } = yield* world;
      const { removal } = yield* fill(0);
      refusing.refuse(/^(RENAME|DELETE)$/i);
      assert.isAbove((yield* ask("DELETE", removal)).status, 400);
      const asked = refusing.refused.length;
      refusing.refuse(undefined);
      kill();
      assert.strictEqual(yield* journaled, 0);
      yield* restart;
      assert.isAbove(asked, 0);
      assert.sameMembers([...(yield* subjects("Top")), ...(yield* subjects("Top/Below"))], numbers(0));
      assert.strictEqual((yield* ask("DELETE", removal)).status, 200);
      assert.sameMembers(yield* subjects("Dest 0"), numbers(0));
    }).pipe(Effect.scoped, Effect.provide(over())),
  );

  it.live(
    "killed in the middle, the service finishes it after its restart, with or without a repeat [S4.6-8]",
    () =>
      Effect.gen(function* () {
        const { proxy, ask, fill, subjects, paths, kill, restart } = yield* world;
        for (const [nth, piece] of [5, 14, 23].entries()) {
          const { removal } = yield* fill(nth);
          proxy.arrange(piece, nth % 2 === 0 ? "after" : "before", kill);
          assert.strictEqual((yield* ask("DELETE", removal)).status, 0);
          const all = yield* subjects(undefined);
          for (const number of numbers(nth)) {
            assert.strictEqual(all.filter((subject) => subject === number).length, 1, `message ${number}`);
          }
          yield* restart;
          if (nth % 2 === 0) assert.strictEqual((yield* ask("DELETE", removal)).status, 200, `piece ${piece}`);
          else while ((yield* paths).some((path) => /Top|removal/.test(path))) yield* Effect.sleep("200 millis");
          assert.sameMembers(yield* subjects(`Dest ${nth}`), numbers(nth), `piece ${piece}`);
          const shown = (yield* ask("GET", FOLDERS)).json.data.map(({ name }: { name: string }) => name);
          assert.sameMembers(
            shown,
            Array.from({ length: nth + 1 }, (_, n) => `Dest ${n}`),
          );
        }
      }).pipe(Effect.scoped, Effect.provide(over())),
    180_000,
  );
});
