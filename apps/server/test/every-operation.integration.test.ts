import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describeWithDovecot, describeWithPostgres, Dovecot, nightly, Postgres, ScriptedSmtp } from "@postern/testkit";
import { Effect, Layer, ManagedRuntime } from "effect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ADMIN_KEY, LATER, type LiveWorld, liveWorld, otherEmail } from "./requests/live-world.ts";
import { type Operation, operationsOf } from "./requests/operations.ts";
import { type MadeRequest, sent, unknownRequests, validRequests } from "./requests/requests-of.ts";
import { sharedKeys } from "./server-nodes.ts";
import { started } from "./server-process.ts";

const [ON_SQLITE, ON_POSTGRES] = ["sqlite@x.test", "postgres@x.test"];
const PASSWORD = "pass";
const MIXED = ["From: a@y.test", "To: b@y.test", "MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=b"];
const PARTS =
  "\r\n\r\n--b\r\n\r\ntext\r\n--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nfile\r\n--b--\r\n";

describeWithDovecot("every operation of the OpenAPI document", () => {
  const mail = ManagedRuntime.make(Layer.mergeAll(Dovecot.layer(), ScriptedSmtp.layer()));
  const hook = createServer((request, response) => void request.resume().on("end", () => response.end()));
  let environment: Readonly<Record<string, string>> = {};
  let hookUrl = "";

  beforeAll(async () => {
    const [dovecot, smtp] = await mail.runPromise(Effect.all([Dovecot, ScriptedSmtp]));
    const messages = Array.from({ length: 250 }, (_, n) => ({
      raw: [...MIXED, `Message-ID: <m${n}@y.test>`, `Subject: some subject ${n}`].join("\r\n") + PARTS,
      arrivedAt: 1_700_000_000_000 + n * 1000,
    }));
    smtp.behave({ rcpt: { [LATER]: { code: 451, enhanced: "4.7.1", text: "later" } } });
    for (const email of [ON_SQLITE, ON_POSTGRES]) {
      await mail.runPromise(dovecot.setPassword(email, PASSWORD));
      await mail.runPromise(dovecot.deliver(email, "INBOX", messages));
      smtp.setPassword(email, PASSWORD);
      await mail.runPromise(dovecot.setPassword(otherEmail(email), PASSWORD));
      smtp.setPassword(otherEmail(email), PASSWORD);
    }
    await new Promise<void>((resolve) => void hook.listen(0, "127.0.0.1", resolve));
    hookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
    environment = {
      IMAP_URL: `imap://127.0.0.1:${dovecot.port}`,
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
      SEND_RATE_PER_MINUTE: "1000",
      ADMIN_KEY,
      LOG_LEVEL: "warn",
    };
  });
  afterAll(async () => {
    hook.close();
    await mail.dispose();
  });

  const tried = async (email: string, stores: Readonly<Record<string, string>>) => {
    const { base } = await started({ ...environment, ...stores });
    const world = await liveWorld({ base, email, password: PASSWORD, hookUrl });
    const documented = operationsOf((await (await fetch(`${base}/openapi.json`)).json()) as never);
    // These need an OAuth2 provider.
    const operations = documented.filter(({ path }) => !/^\/api\/(oauth\/|accounts\/connect\/device)/.test(path));
    expect(operations.length).toBeGreaterThan(40);
    await refusesWhatIsUnknown(world, operations);
    await answersWhatIsValid(
      world,
      operations.filter(({ path }) => !OF_THEIR_SUITES.test(path)),
    );
  };

  // The requests take half a minute, and two minutes on a machine that is busy with other tests.
  it("answers valid requests and refuses unknown parts, on Dovecot and SQLite [S2.1-1]", { timeout: 300_000 }, () =>
    tried(ON_SQLITE, {}),
  );

  for (const stores of nightly(["Postgres"])) {
    describeWithPostgres(`on Dovecot and ${stores}`, () => {
      const postgres = ManagedRuntime.make(Postgres.layer);
      afterAll(() => postgres.dispose());

      it("answers valid requests and refuses unknown parts", async () => {
        const url = await postgres.runPromise(Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase));
        await tried(ON_POSTGRES, { ...(await sharedKeys()), DATABASE_URL: url });
      });
    });
  }
});

const refusesWhatIsUnknown = async (world: LiveWorld, operations: ReadonlyArray<Operation>) => {
  for (const operation of operations.filter(({ path }) => !path.startsWith("/health/"))) {
    for (const [field, request] of unknownRequests(world, operation)) {
      const { status, text } = await sent(world, request);
      const told = shown(request, `${status} ${text}`);
      expect(status, told).toBe(400);
      expect(JSON.parse(text).code, told).toBe("invalid_request");
      const fields = JSON.parse(text).errors.map((error: { readonly field: string }) => error.field);
      expect(fields, told).toContain(field);
    }
  }
};

/** Operations on objects that only mail of a stranger or another party creates; other suites test valid requests to them. */
const OF_THEIR_SUITES = /^\/api\/(approvals|grants|contacts|settings\/blocks)\/\{id\}|\/(unsubscribe|invitation)$/;

/** Operations that end a session, its tokens or the account, and so use a separate session. */
const ENDS = /\/(logout|refresh)$|^DELETE \/api\/account$/;

const answersWhatIsValid = async (world: LiveWorld, operations: ReadonlyArray<Operation>) => {
  const last = ({ name }: Operation) => Number(name === "DELETE /api/account");
  for (const operation of operations.toSorted((one, other) => last(one) - last(other))) {
    for (const request of validRequests(world, operation)) {
      const own = ENDS.test(operation.name) ? await world.signIn() : undefined;
      const isRefresh = operation.path.endsWith("/refresh");
      const asked = isRefresh ? { ...request, body: { refreshToken: own!.refreshToken } } : request;
      const { status, text } = await sent(world, asked, own?.token);
      expect([200, 202, 206], shown(request, `${status} ${text}`)).toContain(status);
    }
  }
};

const shown = ({ operation, ...rest }: MadeRequest, answer: string) =>
  `${operation.name} ${JSON.stringify(rest)}: ${answer.slice(0, 500)}`;
