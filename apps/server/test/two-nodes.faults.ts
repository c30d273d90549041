import { setTimeout as sleep } from "node:timers/promises";
import { Dovecot, Postgres, ScriptedSmtp, type SmtpStage } from "@postern/testkit";
import { Effect, Layer, ManagedRuntime } from "effect";
import { afterAll, expect, it } from "vitest";
import { sharedKeys } from "./server-nodes.ts";
import { post, started } from "./server-process.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 16);
const MESSAGES = 12;
const STAGES: ReadonlyArray<SmtpStage> = ["auth", "mail", "rcpt", "data", "body", "dot", "reply"];

const runtime = ManagedRuntime.make(Layer.mergeAll(Dovecot.layer(), ScriptedSmtp.layer(), Postgres.own));
afterAll(() => runtime.dispose());

interface Item {
  readonly state: string;
  readonly subject: string;
}

it(`two processes send from one journal while each is killed in turn, ${ROUNDS} times: no message is lost or sent twice`, async () => {
  const [dovecot, smtp, postgres] = await runtime.runPromise(Effect.all([Dovecot, ScriptedSmtp, Postgres]));
  await runtime.runPromise(dovecot.setPassword("u1@x.test", "pass"));
  smtp.setPassword("u1@x.test", "pass");
  const environment = {
    ...(await sharedKeys()),
    DATABASE_URL: await runtime.runPromise(postgres.newDatabase),
    DATA_DIR: "/nowhere/at/all",
    LOG_LEVEL: "info",
    IMAP_URL: `imap://${dovecot.host}:${dovecot.port}`,
    SMTP_URL: `smtp://${smtp.host}:${smtp.port}`,
    SEND_RATE_PER_MINUTE: "100000",
    SEND_RATE_PER_DAY: "100000",
  };
  const nodes = [await started(environment), await started(environment)];
  const login = await post(nodes[0]!.base, "/api/auth/mobile-login", { email: "u1@x.test", password: "pass" });
  const { token } = (await login.json()) as { readonly token: string };

  const outbox = async (): Promise<ReadonlyArray<Item>> => {
    const answer = await fetch(`${nodes[0]!.base}/api/outbox`, { headers: { authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { readonly data: ReadonlyArray<Item> }).data;
  };
  /** Waits until every message is settled: a killed process keeps its rows until its leases expire. */
  const settled = async (): Promise<ReadonlyArray<Item>> => {
    for (let tries = 0; tries < 900; tries++) {
      const items = await outbox();
      if (items.every(({ state }) => state === "sent" || state === "unknown")) return items;
      await sleep(100);
    }
    throw new Error(`the outbox does not come to rest: ${JSON.stringify(await outbox())}`);
  };

  for (let round = 0; round < ROUNDS; round++) {
    const stage = STAGES[round % STAGES.length]!;
    const victim = round % 2;
    const sendAt = new Date(Date.now() + 1_500).toISOString();
    for (let n = 0; n < MESSAGES; n++) {
      const subject = `round ${round} message ${n}`;
      const mail = { to: `a${n}@y.test, b${n}@y.test`, subject, text: "x".repeat(5_000), sendAt };
      expect((await post(nodes[n % 2]!.base, "/api/send", mail, token)).status).toBe(200);
    }
    let left = round % MESSAGES;
    await Promise.race([
      new Promise<void>((resolve) =>
        smtp.onStage((reached) => {
          if (reached === stage && left-- === 0) resolve();
        }),
      ),
      sleep(10_000),
    ]);
    nodes[victim]!.child.kill("SIGKILL");
    await nodes[victim]!.ended;
    smtp.onStage(() => {});
    nodes[victim] = await started(environment);
  }

  const items = await settled();
  const all = ROUNDS * MESSAGES;
  expect(items).toHaveLength(Math.min(all, 200));
  const taken = new Map<string, number>();
  for (const { raw, recipients } of smtp.taken()) {
    const subject = /^Subject: (.*)$/m.exec(raw)![1]!.trim();
    for (const recipient of recipients) {
      taken.set(`${subject} ${recipient}`, (taken.get(`${subject} ${recipient}`) ?? 0) + 1);
    }
  }
  expect(
    [...taken.values()].filter((times) => times > 1),
    "doubled",
  ).toEqual([]);
  const unknown = items.filter(({ state }) => state === "unknown");
  for (const { state, subject } of items) {
    const times = [...taken.keys()].filter((key) => key.startsWith(`${subject} `)).length;
    if (state === "sent") expect(times, subject).toBe(2);
  }
  console.log(`${all} messages, ${ROUNDS} kills: ${items.length - unknown.length} sent, ${unknown.length} unknown`);
});
