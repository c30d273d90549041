import { readFile } from "node:fs/promises";
import { Agent } from "node:http";
import { Dovecot, ScriptedSmtp } from "@postern/testkit";
import { Effect, Layer, ManagedRuntime } from "effect";
import { afterAll, expect, it } from "vitest";
import { ask } from "./requests/ask.ts";
import { faultOf } from "./requests/fault-of.ts";
import { spoilt, type WireRequest } from "./requests/hostile.ts";
import { ADMIN_KEY, type LiveWorld, LATER, liveWorld, otherEmail } from "./requests/live-world.ts";
import { nearly, wireOf } from "./requests/nearly-valid.ts";
import { type Operation, operationsOf } from "./requests/operations.ts";
import { type Random, random } from "./requests/random.ts";
import { type MadeRequest, validRequests } from "./requests/requests-of.ts";
import { started } from "./server-process.ts";
import { webhookReceiver } from "./webhook-receiver.ts";

const [EMAIL, PASSWORD] = ["me@x.test", "pass"];
/** Requests that wait for mail or events take up to a minute, and then hold a lane. */
const [SEED, ROUNDS, EACH, LANES] = [20_260_101, 10, 10_000, 16];
/** Requests have 60 s (docs/reference/limits.md); one that takes longer hangs. */
const PATIENCE_MILLIS = 65_000;
/** The number of faults of a kind that are printed. */
const SHOWN = 8;
/** The allowed growth of memory after the first fifth of the requests, in MiB. */
const GROWTH = 64;

/** Operations that end the session of all other requests. */
const ENDS = /\/logout$|^DELETE \/api\/account$/;

const mail = ManagedRuntime.make(Layer.mergeAll(Dovecot.layer(), ScriptedSmtp.layer()));
afterAll(() => mail.dispose());

it(`answers ${ROUNDS * EACH} valid, nearly valid and hostile requests correctly`, async () => {
  const [dovecot, smtp] = await mail.runPromise(Effect.all([Dovecot, ScriptedSmtp]));
  await mail.runPromise(dovecot.setPassword(EMAIL, PASSWORD));
  smtp.behave({ rcpt: { [LATER]: { code: 451, enhanced: "4.7.1", text: "later" } } });
  smtp.setPassword(EMAIL, PASSWORD);
  await mail.runPromise(dovecot.setPassword(otherEmail(EMAIL), PASSWORD));
  smtp.setPassword(otherEmail(EMAIL), PASSWORD);
  await mail.runPromise(dovecot.deliver(EMAIL, "INBOX", messages(600)));
  const { url: hookUrl } = await webhookReceiver();
  const { base, child, output } = await started({
    IMAP_URL: `imap://127.0.0.1:${dovecot.port}`,
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
    TRUSTED_PROXIES: "127.0.0.1/32",
    SEND_RATE_PER_MINUTE: "100000",
    ADMIN_KEY,
    SEND_RATE_PER_DAY: "1000000",
    LOG_LEVEL: "error",
  });
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as never;
  const operations = operationsOf(document).filter(({ name }) => !ENDS.test(name));
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  const chance = random(SEED);
  const faults: Array<string> = [];
  const kinds = new Map<string, number>();
  const statuses = new Map<number, number>();
  const memory: Array<number> = [];
  let slowest = 0;

  const tried = async (request: WireRequest): Promise<void> => {
    const began = performance.now();
    const fault = await ask(agent, base, request, PATIENCE_MILLIS).then(
      (answer) => {
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const what = faultOf(request, answer);
        return what === undefined ? undefined : ([what, answer.text.slice(0, 300)] as const);
      },
      (error: unknown) => ["no answer", String(error)] as const,
    );
    slowest = Math.max(slowest, performance.now() - began);
    if (fault === undefined) return;
    const [kind, told] = fault;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (kinds.get(kind)! > SHOWN) return;
    faults.push(`${kind}: ${shown(request)} → ${told}`);
    console.log(faults.at(-1));
  };

  for (let round = 0; round < ROUNDS; round++) {
    await deleteMade(base);
    const world = await liveWorld({ base, email: EMAIL, password: PASSWORD, hookUrl, label: `round ${round}` });
    const pool = await requestsTo(world, operations);
    const queue = Array.from({ length: EACH }, () => made(chance, world, pool));
    const lane = async (): Promise<void> => {
      for (let request = queue.pop(); request !== undefined; request = queue.pop()) await tried(request);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    memory.push(await residentMemory(child.pid!));
    const told = [
      Object.fromEntries(statuses),
      Object.fromEntries(kinds),
      memory.at(-1)!.toFixed(0),
      slowest.toFixed(0),
    ];
    console.log(`${(round + 1) * EACH} requests (statuses, faults, MiB, slowest in ms): ${JSON.stringify(told)}`);
    expect(child.exitCode, faults.join("\n")).toBeNull();
  }
  agent.destroy();

  const settled = memory[Math.ceil(ROUNDS / 5) - 1]!;
  expect(faults, output().slice(-20_000)).toEqual([]);
  expect(memory.at(-1)! - settled).toBeLessThan(GROWTH);
});

/** Valid requests with their paths. */
type Pool = ReadonlyArray<readonly [path: string, request: MadeRequest]>;

const requestsTo = async (world: LiveWorld, operations: ReadonlyArray<Operation>): Promise<Pool> => {
  const pool: Array<readonly [string, MadeRequest]> = [];
  for (const operation of operations) {
    const path = await world.pathOf(operation);
    for (const request of validRequests(world, operation)) pool.push([path, request]);
  }
  return pool;
};

/** Returns a request: 30 % valid, 40 % nearly, 30 % hostile. Clients vary, or failed sign-ins would lock out the test. */
const made = (chance: Random, { adminKey, token }: LiveWorld, pool: Pool): WireRequest => {
  const [path, request] = chance.one(pool);
  const kind = chance.next();
  const wire = wireOf(
    request.operation.isOfAdmin ? adminKey : token,
    path,
    kind < 0.3 || kind >= 0.7 ? request : nearly(chance, request),
  );
  const from = `10.${chance.below(256)}.${chance.below(256)}.${chance.below(256)}`;
  const told = { ...wire, headers: { "x-forwarded-for": from, ...wire.headers } };
  return kind < 0.7 ? told : spoilt(chance, told);
};

/** Deletes the endpoints and identities that requests have made: an account can have 100 of each. */
const deleteMade = async (base: string): Promise<void> => {
  const json = { "content-type": "application/json" };
  const body = JSON.stringify({ email: EMAIL, password: PASSWORD });
  const answer = await fetch(`${base}/api/auth/mobile-login`, { method: "POST", headers: json, body });
  const headers = { authorization: `Bearer ${((await answer.json()) as { readonly token: string }).token}` };
  for (const path of ["/api/settings/webhooks", "/api/identities"]) {
    const list = await fetch(`${base}${path}?limit=200`, { headers });
    const { data } = (await list.json()) as { readonly data: ReadonlyArray<{ readonly id: string }> };
    for (const { id } of data) await fetch(`${base}${path}/${id}`, { method: "DELETE", headers });
  }
};

const residentMemory = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

const shown = ({ method, path, headers, body }: WireRequest): string =>
  JSON.stringify([method, path.slice(0, 300), { ...headers, authorization: "" }, String(body).slice(0, 300)]);

const messages = (many: number) =>
  Array.from({ length: many }, (_, n) => ({
    raw: [
      "From: a@y.test",
      "To: b@y.test",
      `Subject: some subject ${n}`,
      `Message-ID: <m${n}@y.test>`,
      "MIME-Version: 1.0",
      "Content-Type: multipart/mixed; boundary=b",
      "",
      "--b\r\n\r\ntext\r\n--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nfile\r\n--b--\r\n",
    ].join("\r\n"),
    arrivedAt: 1_700_000_000_000 + n * 1000,
  }));
