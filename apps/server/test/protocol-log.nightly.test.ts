import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  openConversation,
  describeWithDovecot,
  describeWithPostgres,
  Dovecot,
  Postgres,
  ScriptedSmtp,
} from "@postern/testkit";
import { Context, Effect, Exit, Layer, Scope } from "effect";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { askWithKey, makeKey } from "./ask-with-key.ts";
import { ADMIN_KEY } from "./requests/live-world.ts";
import { serverNodes, sharedKeys } from "./server-nodes.ts";

const EMAIL = "jane@x.test";
const PASSWORD = "tr4cked-p4ss";
const NEXT_PASSWORD = "tr4cked-other";
const CANARIES = ["canary-subject", "canary-body", "canary-file", "canary-word"];

/** Returns the base64 of a text at each possible offset in a longer text. */
const base64Of = (text: string): ReadonlyArray<string> =>
  [0, 1, 2].map((shift) =>
    Buffer.from("\0".repeat(shift) + text)
      .toString("base64")
      .slice(4, -4),
  );

const FORBIDDEN = [PASSWORD, NEXT_PASSWORD, ...CANARIES].flatMap((secret) => [secret, ...base64Of(secret)]);

const MAIL =
  `From: ann@y.test\r\nTo: ${EMAIL}\r\nSubject: canary-subject\r\nMessage-ID: <1@y.test>\r\nMIME-Version: 1.0\r\n` +
  'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\ncanary-body\r\n' +
  '--b\r\nContent-Type: application/pdf; name="canary-file"\r\nContent-Transfer-Encoding: base64\r\n\r\n' +
  `${Buffer.from("canary-body of the file").toString("base64")}\r\n--b--\r\n`;

describeWithDovecot("the protocol log of an account", () => {
  describeWithPostgres("of two nodes over one Postgres", () => {
    const folder = mkdtempSync(join(tmpdir(), "protocol-log-"));
    let scope: Scope.Closeable;
    let dovecot: Dovecot["Service"];
    let smtp: ScriptedSmtp["Service"];
    let nodes: Effect.Success<ReturnType<typeof serverNodes>>;
    let database: string;
    let bases: readonly [string, string];
    let id: string;

    const ask = (node: 0 | 1, method: string, path: string, json?: unknown) =>
      askWithKey(() => bases[node], ADMIN_KEY)(method, path, json);
    const traced = async (node: 0 | 1): Promise<{ readonly status: number; readonly text: string }> => {
      const answer = await fetch(`${bases[node]}/api/accounts/${id}/trace`, {
        headers: { authorization: `Bearer ${ADMIN_KEY}` },
      });
      return { status: answer.status, text: await answer.text() };
    };
    const setPassword = (password: string) => Effect.runPromise(dovecot.setPassword(EMAIL, password));

    beforeAll(async () => {
      scope = await Effect.runPromise(Scope.make());
      const run = <A>(effect: Effect.Effect<A, never, Scope.Scope>) =>
        Effect.runPromise(Effect.provideService(effect, Scope.Scope, scope));
      dovecot = await run(
        Effect.map(Layer.build(Dovecot.layer({ tls: true })), (built) => Context.get(built, Dovecot)),
      );
      smtp = await run(Effect.map(Layer.build(ScriptedSmtp.layer()), (built) => Context.get(built, ScriptedSmtp)));
      await setPassword(PASSWORD);
      smtp.setPassword(EMAIL, PASSWORD);
      smtp.behave({ rcpt: { "gone@y.test": { code: 550, enhanced: "5.1.1", text: "No such user" } } });
      const postgres = await run(Effect.map(Layer.build(Postgres.own), (built) => Context.get(built, Postgres)));
      const ca = join(folder, "ca.pem");
      writeFileSync(ca, dovecot.tls!.ca);
      database = await run(postgres.newDatabase);
      nodes = await run(
        serverNodes({
          ...(await sharedKeys()),
          DATABASE_URL: database,
          ACCOUNT_SERVERS: "any",
          ADMIN_KEY,
          MAIL_ALLOWED_NETWORKS: "127.0.0.0/8",
          MAIL_TLS_CA_FILE: ca,
          LOG_LEVEL: "warn",
        }),
      );
      bases = [await nodes.start(), await nodes.start()];
      const servers = {
        imap: { host: dovecot.host, port: dovecot.tls!.port, security: "tls" },
        smtp: { host: smtp.host, port: smtp.port, security: "starttls" },
      };
      const added = await ask(0, "POST", "/api/accounts", { email: EMAIL, password: PASSWORD, ...servers });
      expect(added.status, JSON.stringify(added.body)).toBe(200);
      id = added.body.data.id;
    });

    afterAll(async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void));
      rmSync(folder, { recursive: true, force: true });
    });

    it("is for the admin key, for accounts that exist, and for an hour at most [S10.5-1] [S10.5-2] [S10.5-3] [S10.5-4]", async () => {
      const path = `/api/accounts/${id}/trace`;
      const key = askWithKey(() => bases[0], await makeKey(bases[0], ADMIN_KEY, "crm"));
      for (const method of ["POST", "GET", "DELETE"]) {
        const json = method === "POST" ? { minutes: 5 } : undefined;
        expect((await key(method, path, json)).body).toMatchObject({ status: 403, code: "insufficient_scope" });
        const unknown = await ask(0, method, "/api/accounts/other@x.test/trace", json);
        expect(unknown.body).toMatchObject({ status: 404, code: "account_not_found" });
      }
      for (const minutes of [0, 61, 1.5, "5", null]) {
        const { body } = await ask(0, "POST", path, { minutes });
        expect(body).toMatchObject({ status: 400, code: "invalid_request", errors: [{ field: "minutes" }] });
      }
      expect((await ask(0, "POST", path, {})).body).toMatchObject({ status: 400, errors: [{ field: "minutes" }] });
      expect((await ask(0, "GET", path)).body).toMatchObject({ status: 404, code: "trace_not_found" });
      expect((await ask(0, "DELETE", path)).body).toMatchObject({ status: 404, code: "trace_not_found" });
    });

    it("has the conversation of every node, also of accounts that were connected before, and nothing secret [S10.5-5] [S10.5-6] [S10.5-7]", async () => {
      const key = await makeKey(bases[0], ADMIN_KEY, "mail");
      const use = async (node: 0 | 1, method: string, path: string, json?: unknown) => {
        const asked = await askWithKey(() => bases[node], key)(method, path, json, EMAIL);
        return asked.body;
      };
      const session = await openConversation(dovecot.host, dovecot.port, EMAIL, PASSWORD);
      await session.command("APPEND INBOX", Buffer.from(MAIL));
      session.close();
      for (const node of [0, 1] as const) expect((await use(node, "GET", "/api/inbox")).emails).toHaveLength(1);

      const started = await ask(0, "POST", `/api/accounts/${EMAIL}/trace`, { minutes: 5 });
      expect(Date.parse(started.body.data.until) - Date.now()).toBeGreaterThan(4 * 60_000);
      const nodesIn = (text: string) =>
        new Set([...text.matchAll(/^\S+ (\S+) imap#\d+ C: /gm)].map(([, node]) => node));
      for (let tries = 0; nodesIn((await traced(0)).text).size < 2; tries++) {
        expect(tries, "seconds until both nodes record").toBeLessThan(8);
        for (const node of [0, 1] as const) await use(node, "GET", "/api/folders");
        await sleep(500);
      }

      const [{ id: message }] = (await use(1, "GET", "/api/inbox")).emails;
      expect((await use(1, "GET", `/api/messages/${message}`)).data).toMatchObject({ subject: "canary-subject" });
      expect((await use(0, "GET", "/api/search?folder=inbox&subject=canary-word")).emails).toEqual([]);
      expect((await use(0, "PATCH", `/api/messages/${message}`, { flagged: true })).data).toMatchObject({
        flagged: true,
      });
      const mail = { subject: "canary-subject", text: "canary-body" };
      expect(await use(0, "POST", "/api/send", { to: "b@y.test", ...mail })).toMatchObject({ status: "sent" });
      smtp.hangUp();
      expect(await use(0, "POST", "/api/send", { to: "gone@y.test", ...mail })).toMatchObject({ status: 400 });
      await setPassword(NEXT_PASSWORD);
      const verified = await ask(1, "POST", `/api/accounts/${id}/verify`);
      expect(verified.body.data).toMatchObject({ state: "needs_reauth" });
      await setPassword(PASSWORD);
      await ask(1, "POST", `/api/accounts/${id}/verify`);

      await expect
        .poll(async () => (await traced(0)).text, { timeout: 4_000 })
        .toMatch(/imap#\d+ C: \S+ APPEND .*Sent/);
      const { text } = await traced(1);
      for (const line of [
        /imap#\d+ S: \* OK \[CAPABILITY IMAP4rev1 .*IDLE/,
        /imap#\d+ C: \w+ (LOGIN|AUTHENTICATE PLAIN) <removed>/,
        /imap#\d+ S: \w+ NO \[AUTHENTICATIONFAILED\] Authentication failed\./,
        /imap#\d+ C: \w+ UID STORE \d+ \+FLAGS\.SILENT \(\\Flagged\)/,
        /imap#\d+ S: \* 1 FETCH \(.*ENVELOPE \(.*"<14 removed>"/,
        /imap#\d+ C: <\d+ removed>$/m,
        /imap#\d+ \*: closed by Postern/,
        /imap#\d+ \*: TLSv1\.3 \w+, certificate trusted by its authority/,
        /smtp#\d+ C: AUTH PLAIN <removed>/,
        /smtp#\d+ C: MAIL FROM:<jane@x.test>/,
        /smtp#\d+ C: <\d{3} removed>/,
        /smtp#\d+ S: 550 5\.1\.1 No such user/,
        /smtp#\d+ \*: closed by the server or the network/,
      ]) {
        expect(text).toMatch(line);
      }
      for (const secret of FORBIDDEN) expect(text).not.toContain(secret);
      const times = text
        .trimEnd()
        .split("\n")
        .slice(2)
        .map((line) => line.slice(0, 24));
      expect(times).toEqual(times.toSorted());
    });

    it("is deleted on every node, and its lines in the database", async () => {
      const client = new Client({ connectionString: database });
      await client.connect();
      const rows = async () => {
        const { rows: found } = await client.query("select lines from protocol_log_batch");
        return found.map(({ lines }) => lines as string);
      };
      const stored = (await rows()).join("\n");
      expect(stored).not.toBe("");
      for (const secret of FORBIDDEN) expect(stored).not.toContain(secret);
      expect((await ask(1, "DELETE", `/api/accounts/${id}/trace`)).body.data).toEqual({ id, deleted: true });
      expect((await traced(0)).status).toBe(404);
      await ask(0, "POST", `/api/accounts/${id}/verify`);
      await sleep(1_200);
      expect(await rows()).toEqual([]);
      await client.end();
    });
  });
});
