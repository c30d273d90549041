import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Dovecot, freePort, ScriptedSmtp, type SmtpStage } from "@postern/testkit";
import { Effect, Layer, ManagedRuntime } from "effect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const KILLS = Number(process.env["KILLS"] ?? 200);
const STAGES: ReadonlyArray<SmtpStage> = ["greeting", "ehlo", "auth", "mail", "rcpt", "data", "body", "dot", "reply"];
/** Stages after the answer to DATA. The client continues by itself, so it may have stored the mark before the kill. */
const MAY_BE_MARKED = new Set<SmtpStage>(["data", "body", "dot", "reply"]);

const runtime = ManagedRuntime.make(Layer.mergeAll(Dovecot.layer(), ScriptedSmtp.layer()));
const dataDir = mkdtempSync(join(tmpdir(), "faults-"));
const running = new Set<ChildProcess>();

/** A message in the outbox, as a client reads it. */
interface Item {
  readonly messageId: string;
  readonly state: string;
  readonly subject: string;
}

let base = "";
let environment: Record<string, string> = {};

const start = async (): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ["--conditions=@postern/source", "apps/server/start.mjs"], {
    env: environment,
    stdio: "pipe",
  });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream!.on("data", (text) => (output += text));
  // A busy machine takes long to start a process.
  for (let tries = 0; tries < 4_800; tries++) {
    if (child.exitCode !== null) throw new Error(output);
    if (
      await fetch(`${base}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return child;
    await sleep(25);
  }
  throw new Error(`not ready: ${output}`);
};

const kill = async (child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
  running.delete(child);
};

const call = async (method: string, path: string, token: string, json?: unknown) => {
  const answer = await fetch(base + path, {
    method,
    headers: {
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  return { status: answer.status, body: (await answer.json()) as any };
};

const signIn = async (n: number): Promise<string> => {
  const { body } = await call("POST", "/api/auth/mobile-login", "", { email: `u${n}@x.test`, password: "pass" });
  return body.token as string;
};

beforeAll(async () => {
  const [dovecot, smtp] = await runtime.runPromise(Effect.all([Dovecot, ScriptedSmtp]));
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  environment = {
    PATH: process.env["PATH"] ?? "",
    PORT: String(port),
    DATA_DIR: dataDir,
    IMAP_URL: `imap://${dovecot.host}:${dovecot.port}`,
    SMTP_URL: `smtp://${smtp.host}:${smtp.port}`,
    SEND_RATE_PER_MINUTE: "100000",
    SEND_RATE_PER_DAY: "100000",
  };
});

afterAll(async () => {
  for (const child of running) await kill(child);
  await runtime.dispose();
  rmSync(dataDir, { recursive: true, force: true });
});

describe("kill -9 in the middle of sending", () => {
  it(`${KILLS} times, spread over every stage: no message is lost or sent twice`, async () => {
    const dovecot = await runtime.runPromise(Dovecot);
    const smtp = await runtime.runPromise(ScriptedSmtp);
    await runtime.runPromise(dovecot.setPassword("u1@x.test", "pass"));
    smtp.setPassword("u1@x.test", "pass");
    const stageOf = new Map<string, SmtpStage>();
    let child = await start();
    const token = await signIn(1);

    /** Waits until every message is settled, so that the next stage belongs to the next message. */
    const settled = async (): Promise<ReadonlyArray<Item>> => {
      for (let tries = 0; tries < 600; tries++) {
        const items = (await call("GET", "/api/outbox", token)).body.data as ReadonlyArray<Item>;
        if (items.every(({ state }) => state === "sent" || state === "unknown")) return items;
        await sleep(50);
      }
      throw new Error("the outbox does not come to rest");
    };

    for (let n = 0; n < KILLS; n++) {
      const stage = STAGES[n % STAGES.length]!;
      const subject = `kill ${n} at ${stage}`;
      stageOf.set(subject, stage);
      // A reused connection gets no greeting.
      smtp.hangUp();
      await sleep(20);
      let due = true;
      const killed = new Promise<void>((resolve) => {
        smtp.onStage(async (reached) => {
          if (!due || reached !== stage) return;
          due = false;
          // Some kills happen at once, some a little later, because the mark and the settlement are between stages.
          await sleep((n * 7) % 23);
          await kill(child);
          resolve();
        });
      });
      const mail = { to: `a${n}@y.test, b${n}@y.test`, subject, text: "x".repeat(20_000) };
      const sending = call("POST", "/api/send", token, mail).catch(() => undefined);
      await Promise.race([killed, Promise.all([sending, sleep(3_000)])]);
      smtp.onStage(() => {});
      if (due) throw new Error(`${subject}: the stage was not reached`);
      await sending;
      child = await start();
      expect((await settled()).map((item) => item.subject)).toContain(subject);
    }

    const items = await settled();
    const taken = new Map<string, number>();
    for (const { raw, recipients } of smtp.taken()) {
      const subject = /^Subject: (.*)$/m.exec(raw)![1]!.trim();
      for (const recipient of recipients)
        taken.set(`${subject} ${recipient}`, (taken.get(`${subject} ${recipient}`) ?? 0) + 1);
    }
    expect(
      [...taken.values()].filter((times) => times > 1),
      "doubled",
    ).toEqual([]);
    expect(items).toHaveLength(Math.min(KILLS, 200));
    const states = new Map<string, number>();
    for (const { subject, state } of items) {
      const stage = stageOf.get(subject)!;
      const times = [...taken.keys()].filter((key) => key.startsWith(`${subject} `)).length;
      states.set(`${stage} ${state}`, (states.get(`${stage} ${state}`) ?? 0) + 1);
      if (state === "sent") expect(times, subject).toBe(2);
      else expect(state, subject).toBe("unknown");
      if (state === "unknown") expect(MAY_BE_MARKED.has(stage), subject).toBe(true);
    }
    console.log(Object.fromEntries(states));

    const { status, body } = await call("GET", "/api/folders", token);
    expect(status).toBe(200);
    const sent = body.folders.find(({ id }: { id: string }) => id === "sent");
    expect(sent.totalCount, "one copy in Sent for each sent message").toBe(
      items.filter(({ state }) => state === "sent").length,
    );
    await kill(child, "SIGTERM");
  });
});
