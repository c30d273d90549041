import { setTimeout as sleep } from "node:timers/promises";
import { Dovecot, freePort } from "@postern/testkit";
import { Effect } from "effect";
import { burst } from "../load/arrival-load.ts";
import { distantServer } from "../processes/distant-server.ts";
import { startFloor } from "../processes/floor-process.ts";
import type { SinkAnswer } from "../floors/smtp-sink.ts";
import type { Group } from "./group.ts";
import { PASSWORD } from "../processes/mail-server.ts";
import { mailAt, signIn, startService } from "../processes/service.ts";
import { percentile } from "../figures/statistics.ts";
import { textTable } from "../figures/table.ts";

const USER = "distant@bench.test";
const MESSAGES = 60;

/** Round trips to the mail server, in milliseconds. */
const DISTANCES = [40, 100];

export const DISTANT = [
  "page, unchanged, distant",
  "page, changed by one, distant",
  "page, cold, distant",
  "message, distant",
  "flag, distant",
  "sign-in, distant",
  "send, distant",
] as const;

/** An operation at a mail server with this round trip; times in milliseconds. */
export interface DistantRow {
  readonly operation: string;
  readonly roundTripMillis: number;
  readonly p50: number;
  readonly p99: number;
  /** The median in round trips. */
  readonly roundTrips: number;
}

/** How many round trips to a distant mail server an operation waits for, with one request at a time. */
export const roundTrips: Group = {
  rows: DISTANT,
  inQuick: false,
  mail: "empty",
  run: (bench) =>
    Effect.gen(function* () {
      const dovecot = yield* Dovecot;
      yield* dovecot.setPassword(USER, PASSWORD);
      return yield* Effect.promise(async () => {
        const mailbox = { port: dovecot.port, user: USER, password: PASSWORD };
        await burst(MESSAGES)(mailbox);
        const sink = startFloor<object, SinkAnswer>("smtp-sink.ts");
        const { port: sinkPort } = await sink.run({});
        const rows: Array<ReadonlyArray<string>> = [];
        const lines: Array<DistantRow> = [];
        for (const distance of DISTANCES) {
          const [imap, smtp] = [await distantServer(dovecot.port, distance), await distantServer(sinkPort, distance)];
          const start = async (environment: Record<string, string>) => {
            const service = await startService(await freePort(), { ...mailAt(imap.port, smtp.port), ...environment });
            return { service, ask: asking(service.base, await signIn(service.base, USER, PASSWORD)) };
          };
          const [kept, cold] = [await start({}), await start({ READ_CACHE_BYTES: "0" })];
          const ids = await kept.ask.ids();
          const delivered = async () => {
            const { taken } = await sink.run({});
            await kept.ask.send();
            while ((await sink.run({})).taken === taken) await sleep(1);
            // The answer to the dot takes the other half.
            await sleep(distance / 2);
          };
          const operations: Record<(typeof DISTANT)[number], () => Promise<unknown>> = {
            "page, unchanged, distant": kept.ask.page,
            "page, changed by one, distant": kept.ask.page,
            "page, cold, distant": cold.ask.page,
            "message, distant": () => kept.ask.message(ids.pop()!),
            "flag, distant": () => kept.ask.flag(ids.pop()!),
            "sign-in, distant": () => signIn(kept.service.base, USER, PASSWORD),
            "send, distant": delivered,
          };
          for (const [name, operation] of Object.entries(operations).filter(([row]) => bench.wants(row))) {
            const taken: Array<number> = [];
            // The first two rounds open connections and are not counted.
            for (let n = -2; n < bench.plan.repeats; n++) {
              if (name.includes("changed by one")) await burst(1)(mailbox);
              const began = performance.now();
              await operation();
              if (n >= 0) taken.push(performance.now() - began);
            }
            const [p50, p99] = [percentile(taken, 0.5), percentile(taken, 0.99)];
            const roundTrips = p50 / distance;
            rows.push([name, String(distance), p50.toFixed(0), p99.toFixed(0), roundTrips.toFixed(2)]);
            lines.push({ operation: name, roundTripMillis: distance, p50, p99, roundTrips });
            bench.say(rows.at(-1)!.join(" · "));
          }
          for (const { service } of [kept, cold]) await service.stop();
          for (const server of [imap, smtp]) server.stop();
        }
        sink.stop();
        return { text: textTable(["operation", "RTT ms", "p50 ms", "p99 ms", "round trips"], rows), lines };
      });
    }),
};

/** Returns functions that make the requests of a signed-in user. */
const asking = (base: string, token: string) => {
  const ask = async (path: string, method = "GET", body?: object) => {
    const answer = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${text}`);
    return text;
  };
  const page = () => ask("/api/inbox?preview=false");
  return {
    page,
    ids: async () => {
      const { emails } = JSON.parse(await ask(`/api/inbox?preview=false&limit=${MESSAGES}`)) as {
        readonly emails: ReadonlyArray<{ readonly id: string }>;
      };
      return emails.map(({ id }) => id);
    },
    message: (id: string) => ask(`/api/messages/${id}`),
    flag: (id: string) => ask(`/api/messages/${id}`, "PATCH", { flagged: true }),
    send: () => ask("/api/send", "POST", { to: "someone@elsewhere.test", subject: "Figures", text: "The figures.\n" }),
  };
};
