import { Dovecot, freePort } from "@postern/testkit";
import { Effect } from "effect";
import { burst, onePerPause, type ArrivalLoad } from "../load/arrival-load.ts";
import { watchThree } from "../load/arrival-stamps.ts";
import type { Bench, Group } from "./group.ts";
import { PASSWORD } from "../processes/mail-server.ts";
import { mailAt, signIn, startService } from "../processes/service.ts";
import { percentile } from "../figures/statistics.ts";
import { textTable } from "../figures/table.ts";

const USER = "arrivals@bench.test";

const IDLE = "arrivals, idle";
const STEADY = "arrivals, a mail every 2 s";
const BURST = "arrivals, a burst of 200";

export const PACES = [IDLE, STEADY, BURST] as const;

/**
 * Times at one pace of arrivals, in milliseconds: percentiles 50 and 99 from APPEND's OK, and their excess over IDLE.
 */
export interface ArrivalRow {
  readonly operation: string;
  readonly mails: number;
  readonly floor: readonly [p50: number, p99: number];
  readonly live: readonly [p50: number, p99: number];
  readonly webhook: readonly [p50: number, p99: number];
  /** The delays of the medians of events and webhooks, compared with IDLE. */
  readonly above: readonly [live: number, webhook: number];
  /** The delays of the last event and the last webhook, compared with the last notification by IDLE. */
  readonly afterLast: readonly [live: number, webhook: number];
}

const loadsOf = ({ plan: { quick } }: Bench): ReadonlyArray<ArrivalLoad> => [
  { name: IDLE, send: onePerPause(quick ? 2 : 20, 6_000) },
  { name: STEADY, send: onePerPause(quick ? 4 : 40, 2_000) },
  { name: BURST, send: burst(200) },
];

/** Times from APPEND's OK to the event by stream and webhook, compared with a bare connection in IDLE. */
export const arrivals: Group = {
  rows: PACES,
  inQuick: true,
  mail: "empty",
  run: (bench) =>
    Effect.gen(function* () {
      const dovecot = yield* Dovecot;
      yield* dovecot.setPassword(USER, PASSWORD);
      return yield* Effect.promise(async () => {
        const service = await startService(await freePort(), {
          ...mailAt(dovecot.port),
          WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
        });
        const token = await signIn(service.base, USER, PASSWORD);
        const mail = { port: dovecot.port, user: USER, password: PASSWORD };
        const watchers = await watchThree(service.base, token, mail);
        const lines: Array<ArrivalRow> = [];
        const rows: Array<ReadonlyArray<string>> = [];
        for (const pace of loadsOf(bench).filter(({ name }) => bench.wants(name))) {
          const sent = await pace.send(mail);
          const seen = await watchers.stampsOf([...sent.keys()]);
          const delays = (stamps: ReadonlyMap<string, number>) => [...sent].map(([id, at]) => stamps.get(id)! - at);
          const [floor, live, webhook] = [delays(seen.idle), delays(seen.live), delays(seen.webhook)];
          const figures = (numbers: ReadonlyArray<number>) =>
            [percentile(numbers, 0.5), percentile(numbers, 0.99)] as const;
          const [onIdle, byStream, byWebhook] = [figures(floor), figures(live), figures(webhook)];
          const last = (stamps: ReadonlyMap<string, number>) =>
            Math.max(...[...sent.keys()].map((id) => stamps.get(id)!));
          const line: ArrivalRow = {
            operation: pace.name,
            mails: sent.size,
            floor: onIdle,
            live: byStream,
            webhook: byWebhook,
            above: [byStream[0] - onIdle[0], byWebhook[0] - onIdle[0]],
            afterLast: [last(seen.live) - last(seen.idle), last(seen.webhook) - last(seen.idle)],
          };
          lines.push(line);
          const cells = [...onIdle, ...byStream, ...byWebhook, ...line.above, ...line.afterLast];
          rows.push([pace.name, String(sent.size), ...cells.map((figure) => figure.toFixed(0))]);
          bench.say(rows.at(-1)!.join(" · "));
        }
        await watchers.stop();
        await service.stop();
        return { text: textTable(COLUMNS, rows), lines };
      });
    }),
};

const COLUMNS = [
  "from APPEND's OK, ms",
  "mails",
  "IDLE p50",
  "p99",
  "event p50",
  "p99",
  "webhook p50",
  "p99",
  "event − IDLE p50",
  "webhook − IDLE p50",
  "last event − IDLE's last",
  "last webhook − IDLE's last",
];
