import { setTimeout as sleep } from "node:timers/promises";
import { describeWithPostgres, Dovecot, Postgres, ScriptedSmtp } from "@postern/testkit";
import { Effect, Layer, ManagedRuntime } from "effect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Answer, draftClient } from "./draft-client.ts";
import { ADMIN_KEY } from "./requests/live-world.ts";
import { sharedKeys } from "./server-nodes.ts";
import { post, started } from "./server-process.ts";

const EDITS = Number(process.env["EDITS"] ?? 1_000);
const LANES = 4;
/** The number of edits after which a process is killed. */
const KILL_EVERY = 25;
const [ME, PASSWORD] = ["me@x.test", "pass"];
const MINUTES = { timeout: 180_000, interval: 500 };

const letter = (n: number, version: 0 | 1) => ({
  to: `r${n}-${version}@far.test`,
  subject: `r${n}.${version}`,
  text: "words",
});

describeWithPostgres("approvals of drafts that are edited, while processes are killed", () => {
  const mail = ManagedRuntime.make(Layer.mergeAll(Dovecot.layer(), ScriptedSmtp.layer(), Postgres.own));
  afterAll(() => mail.dispose());
  let environment: Readonly<Record<string, string>> = {};
  let smtp: ScriptedSmtp["Service"];

  beforeAll(async () => {
    const [dovecot, sink, postgres] = await mail.runPromise(Effect.all([Dovecot, ScriptedSmtp, Postgres]));
    await mail.runPromise(dovecot.setPassword(ME, PASSWORD));
    sink.setPassword(ME, PASSWORD);
    smtp = sink;
    environment = {
      ...(await sharedKeys()),
      ADMIN_KEY,
      DATABASE_URL: await mail.runPromise(postgres.newDatabase),
      IMAP_URL: `imap://127.0.0.1:${dovecot.port}`,
      SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
      SEND_RATE_PER_MINUTE: "100000",
      SEND_RATE_PER_DAY: "100000",
      LOG_LEVEL: "warn",
    };
  });

  it(`sends only approved versions, each once, during ${EDITS} edits on two nodes [S13.2-4] [S13.2-5]`, async () => {
    const nodes = [await started(environment), await started(environment)];
    const baseOf = (n: number) => nodes[n % 2]!.base;
    const login = await post(baseOf(0), "/api/auth/mobile-login", { email: ME, password: PASSWORD });
    const { token } = (await login.json()) as { readonly token: string };
    const key = { name: "agent", scopes: ["mail:read", "mail:draft"] };
    const made = (await (await post(baseOf(0), "/api/keys", key, ADMIN_KEY)).json()) as {
      readonly data: { readonly key: string };
    };

    /** Repeats a request, at both nodes in turn, until one of them answers. */
    const insist = async (n: number, by: string, ...[method, path, json, headers = {}]: Request): Promise<Answer> => {
      for (let tries = n; tries < n + 1_200; tries++) {
        const { call } = draftClient(() => baseOf(tries), by);
        const answer = await call(method, path, json, by === token ? headers : { "postern-account": ME, ...headers });
        // A request whose process was killed counts as in progress until its claim ends.
        const isUnderway = answer?.body.code?.endsWith("_in_progress") === true;
        if (answer !== undefined && answer.status < 500 && !isUnderway) return answer;
        await sleep(100);
      }
      throw new Error(`${method} ${path} is not answered`);
    };

    const approvals: Array<string> = [];
    const race = async (n: number): Promise<void> => {
      const asking = { "idempotency-key": `ask-${n}` };
      const asked = await insist(n, made.data.key, "POST", "/api/send", letter(n, 0), asking);
      expect([asked.status, asked.body.code], `r${n}`).toEqual([202, undefined]);
      const { id, draftId, version } = asked.body.approval;
      approvals[n] = id;
      const seen = { "if-match": version };
      const edit = () => insist(n + 1, made.data.key, "PUT", `/api/drafts/${draftId}`, letter(n, 1), seen);
      const approve = (at: number) => insist(at, token, "POST", `/api/approvals/${id}/approve`, undefined, seen);
      const first = n % 3 === 0 ? [edit, () => approve(n)] : [() => approve(n), edit];
      await Promise.all(
        [...first, () => approve(n + 1)].map(async (act, after) => {
          await sleep((after * n * 7) % 60);
          return act();
        }),
      );
    };

    let [next, kills] = [0, 0];
    const lane = async (): Promise<void> => {
      for (let n = next++; n < EDITS; n = next++) {
        await race(n);
        if (n % KILL_EVERY !== KILL_EVERY - 1) continue;
        const killed = kills++ % 2;
        nodes[killed]!.child.kill("SIGKILL");
        await nodes[killed]!.ended;
        nodes[killed] = await started(environment);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));

    const outbox = async () => {
      const states = new Map<string, Array<string>>();
      for (let cursor: string | null = ""; cursor !== null;) {
        const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
        const { body }: Answer = await insist(0, token, "GET", `/api/outbox?limit=100${more}`);
        for (const { subject, state } of body.data) states.set(subject, [...(states.get(subject) ?? []), state]);
        cursor = body.nextCursor;
      }
      return states;
    };
    const isOver = (state: string) => state === "sent" || state === "unknown";
    await expect.poll(async () => [...(await outbox()).values()].flat().every(isOver), MINUTES).toBe(true);
    const states = await outbox();
    const decided = { approved: 0, stale: 0, unknown: 0 };
    for (const [n, id] of approvals.entries()) {
      const { state } = (await insist(n, token, "GET", `/api/approvals/${id}`)).body.data;
      expect(["approved", "stale"], `r${n} is ${state}`).toContain(state);
      const taken = smtp.taken().filter(({ recipients }) => recipients.join() === letter(n, 0).to).length;
      const [outcome, ...others] = states.get(`r${n}.0`) ?? [];
      const isUnknown = outcome === "unknown";
      decided[state as "approved" | "stale"]++;
      if (isUnknown) decided.unknown++;
      expect([n, outcome !== undefined, others]).toEqual([n, state === "approved", []]);
      expect([n, isUnknown && taken <= 1 ? 1 : taken]).toEqual([n, state === "approved" ? 1 : 0]);
    }
    const others = smtp.taken().filter(({ recipients }) => !/^r\d+-0@far\.test$/.test(recipients.join()));
    expect(others).toEqual([]);
    console.log({ edits: EDITS, kills, ...decided });
    expect(Math.min(decided.approved, decided.stale)).toBeGreaterThan(EDITS / 20);
  });
});

type Request = readonly [method: string, path: string, json?: unknown, headers?: Readonly<Record<string, string>>];
