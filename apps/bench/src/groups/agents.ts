import { setTimeout as sleep } from "node:timers/promises";
import { Dovecot, freePort, ScriptedSmtp } from "@postern/testkit";
import { Effect } from "effect";
import type { Group } from "./group.ts";
import { cpuMillis, residentMiB } from "../figures/process-figures.ts";
import { loopDelayMillis } from "../figures/loop-delay.ts";
import { percentile } from "../figures/statistics.ts";
import { textTable } from "../figures/table.ts";
import { closedLoop } from "../load/closed-loop.ts";
import { messages } from "../processes/mailboxes.ts";
import { PASSWORD } from "../processes/mail-server.ts";
import { mailAt, startService } from "../processes/service.ts";

const AGENTS = 100;
const MESSAGES = 1_000;
const ROW = `agents, ${AGENTS} at once`;
const MILLIS = { full: 60_000, quick: 10_000 };
const ADMIN_KEY = "admin-key-of-the-bench-0123456789abcdef";
const REVISION = "2026-07-28";
const SCOPES = ["accounts:write", "mail:read", "mail:organize", "mail:draft"];

const userOf = (n: number): string => `agent${n}@bench.test`;

const META = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

interface Result {
  readonly result?: { readonly isError?: boolean; readonly structuredContent: Readonly<Record<string, unknown>> };
}

interface Listed {
  readonly id: string;
  readonly threadId: string;
}

/** Agents that read, organize and write in separate mailboxes, all at the same time, over `POST /mcp`. */
export const agents: Group = {
  rows: [ROW],
  inQuick: false,
  mail: "empty",
  run: ({ plan, say }) =>
    Effect.gen(function* () {
      const dovecot = yield* Dovecot;
      const smtp = yield* ScriptedSmtp;
      say(`writing ${MESSAGES} messages for each of ${AGENTS} agents`);
      for (let n = 0; n < AGENTS; n++) {
        smtp.setPassword(userOf(n), PASSWORD);
        yield* dovecot.setPassword(userOf(n), PASSWORD);
        yield* dovecot.deliver(userOf(n), "INBOX", messages(MESSAGES, n));
      }
      return yield* Effect.promise(async () => {
        const service = await startService(await freePort(), { ...mailAt(dovecot.port, smtp.port), ADMIN_KEY });
        const figures = await play(service, plan.quick ? MILLIS.quick : MILLIS.full);
        await service.stop();
        const cells = Object.values(figures).map((value) => (typeof value === "number" ? value.toFixed(1) : value));
        return { text: textTable(COLUMNS, [cells]), lines: [figures] };
      });
    }).pipe(Effect.provide(ScriptedSmtp.layer())),
};

const COLUMNS = [
  "operation",
  "calls/s",
  "p50 ms",
  "p99 ms",
  "CPU ms each",
  "loop p99 ms, median",
  "loop p99 ms, worst second",
  "largest result KB",
  "MiB at a third",
  "MiB at the end",
];

const play = async ({ base, pid }: { readonly base: string; readonly pid: number }, millis: number) => {
  const post = async (path: string, token: string, json: object, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(base + path, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(json),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 200)}`);
    return text;
  };
  const { data } = JSON.parse(await post("/api/keys", ADMIN_KEY, { name: "agents", scopes: SCOPES })) as {
    readonly data: { readonly key: string };
  };
  for (let n = 0; n < AGENTS; n++) {
    await post("/api/accounts", data.key, { email: userOf(n), password: PASSWORD });
  }

  const took: Array<number> = [];
  let largest = 0;
  const call = async (agent: number, name: string, given: object) => {
    const params = { name, arguments: given, _meta: META };
    const started = performance.now();
    const text = await post(
      "/mcp",
      data.key,
      { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      {
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": REVISION,
        "mcp-method": "tools/call",
        "mcp-name": name,
        "postern-account": userOf(agent),
      },
    );
    took.push(performance.now() - started);
    largest = Math.max(largest, text.length);
    const { result } = JSON.parse(text) as Result;
    if (result === undefined || result.isError === true) throw new Error(`${name}: ${text.slice(0, 300)}`);
    return result.structuredContent;
  };

  /** A turn of an agent: the reads and changes for one question of its user. */
  const turn = async (agent: number) => {
    const { messages: found } = (await call(agent, "find_messages", { limit: 10 })) as {
      readonly messages: ReadonlyArray<Listed>;
    };
    for (const { id } of found.slice(0, 5)) await call(agent, "read_message", { id });
    await call(agent, "read_thread", { threadId: found[0]!.threadId });
    await call(agent, "find_messages", { query: "invoice", limit: 10 });
    await call(agent, "organize", { ids: found.slice(0, 3).map(({ id }) => id), read: true, flagged: true });
    await call(agent, "write_draft", { to: ["someone@bench.test"], subject: "Answer", text: "Some **words**." });
  };

  const delays: Array<number> = [];
  const memory: Array<number> = [];
  const ended = { yes: false };
  const watching = (async () => {
    while (!ended.yes) {
      await sleep(1_000);
      delays.push(await loopDelayMillis(base));
      memory.push(residentMiB(pid));
    }
  })();
  await closedLoop(turn, { lanes: AGENTS, millis: 1 });
  took.length = 0;
  delays.length = 0;
  memory.length = 0;
  const [began, cpu] = [performance.now(), cpuMillis(pid)];
  await closedLoop(turn, { lanes: AGENTS, millis });
  const [seconds, cpuUsed] = [(performance.now() - began) / 1_000, cpuMillis(pid) - cpu];
  ended.yes = true;
  await watching;
  return {
    operation: ROW,
    perSecond: took.length / seconds,
    p50: percentile(took, 0.5),
    p99: percentile(took, 0.99),
    cpuMillisEach: cpuUsed / took.length,
    loopMedian: percentile(delays, 0.5),
    loopWorst: Math.max(...delays),
    largestKB: largest / 1024,
    memoryThird: memory[Math.floor(memory.length / 3)] ?? Number.NaN,
    memoryEnd: memory.at(-1) ?? Number.NaN,
  };
};
