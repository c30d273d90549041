import { setTimeout as sleep } from "node:timers/promises";
import { Dovecot, freePort } from "@postern/testkit";
import { Effect } from "effect";
import { burst } from "../load/arrival-load.ts";
import { distantServer } from "../processes/distant-server.ts";
import { startFloor } from "../processes/floor-process.ts";
import type { SinkAnswer } from "../floors/smtp-sink.ts";
import type { Group } from "./group.ts";
import { fillManyFolders, FOLDERS } from "../processes/many-folders.ts";
import { PASSWORD } from "../processes/mail-server.ts";
import { mailAt, signIn, startService } from "../processes/service.ts";
import { percentile } from "../figures/statistics.ts";
import { textTable } from "../figures/table.ts";

const USER = "distant@bench.test";
/** The number of messages, so that each is moved, deleted or read only once. */
const MESSAGES = 200;

/** Round trips to the mail server, in milliseconds. */
const DISTANCES = [0, 40, 100];

const OPERATIONS = [
  "page, unchanged",
  "page, changed by one",
  "page, cold",
  "message",
  "attachment",
  "flag",
  "move",
  "delete",
  "search of one folder",
  `search of all ${FOLDERS} folders`,
  `conversation in ${FOLDERS} folders`,
  "draft saved",
  "draft sent",
  "folders",
  "sign-in",
  "send",
] as const;
type Operation = (typeof OPERATIONS)[number];

export const DISTANT = OPERATIONS.map((operation) => `${operation}, distant`);

/** An operation at a mail server with this round trip; times in milliseconds. */
export interface DistantRow {
  readonly operation: string;
  readonly roundTripMillis: number;
  readonly p50: number;
  readonly p99: number;
  /** The median in round trips; null without a distance. */
  readonly roundTrips: number | null;
}

/** The number of round trips to a distant mail server that an operation waits for, with one request at a time. */
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
        await fillManyFolders(mailbox, MESSAGES);
        const sink = startFloor<object, SinkAnswer>("smtp-sink.ts");
        const { port: sinkPort } = await sink.run({});
        const rows: Array<ReadonlyArray<string>> = [];
        const lines: Array<DistantRow> = [];
        for (const distance of DISTANCES) {
          const [imap, smtp] = [await distantServer(dovecot.port, distance), await distantServer(sinkPort, distance)];
          const start = async (environment: Record<string, string>) => {
            const service = await startService(await freePort(), { ...mailAt(imap.port, smtp.port), ...environment });
            return { service, ask: requestsOf(service.base, await signIn(service.base, USER, PASSWORD)) };
          };
          const [kept, cold] = [await start({}), await start({ READ_CACHE_BYTES: "0" })];
          const operations = await operationsOf(kept.ask, cold.ask, async () => {
            const { taken } = await sink.run({});
            await kept.ask.send();
            while ((await sink.run({})).taken === taken) await sleep(1);
            // The answer to the dot takes the other half.
            await sleep(distance / 2);
          });
          for (const name of OPERATIONS.filter((one) => bench.wants(`${one}, distant`))) {
            const operation = name === "sign-in" ? () => signIn(kept.service.base, USER, PASSWORD) : operations[name];
            const taken: Array<number> = [];
            // The first two rounds open connections and are not counted.
            for (let n = -2; n < bench.plan.repeats; n++) {
              if (name === "page, changed by one") await burst(1)(mailbox);
              const began = performance.now();
              await operation();
              if (n >= 0) taken.push(performance.now() - began);
            }
            const [p50, p99] = [percentile(taken, 0.5), percentile(taken, 0.99)];
            const roundTrips = distance === 0 ? null : p50 / distance;
            rows.push([name, String(distance), p50.toFixed(0), p99.toFixed(0), roundTrips?.toFixed(2) ?? ""]);
            lines.push({ operation: `${name}, distant`, roundTripMillis: distance, p50, p99, roundTrips });
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

type Asking = ReturnType<typeof requestsOf>;

/** Returns the operations except sign-in, each on a separate message. `kept` uses the cache, `cold` does not. */
const operationsOf = async (
  kept: Asking,
  cold: Asking,
  send: () => Promise<void>,
): Promise<Readonly<Record<Exclude<Operation, "sign-in">, () => Promise<unknown>>>> => {
  const emails = await kept.emails(`/api/inbox?preview=false&limit=${MESSAGES}`);
  const ids = emails.flatMap(({ id, hasAttachments }) => (hasAttachments ? [id] : []));
  const next = () => `/api/messages/${ids.pop()!}`;
  const [plan] = await kept.emails("/api/search?folder=INBOX&subject=plan");
  const { data: folder } = await kept.read("/api/settings/folders", "POST", { name: `Kept ${ids[0]}` });
  const file = next();
  const { data: withFile } = await kept.read(file);
  const drafts: Array<string> = [];
  const draft = { to: "someone@elsewhere.test", subject: "Figures", text: "The figures.\n" };
  const save = async () => void drafts.push((await kept.read("/api/drafts", "POST", draft)).data.id);
  return {
    "page, unchanged": kept.page,
    "page, changed by one": kept.page,
    "page, cold": cold.page,
    message: () => kept.ask(next()),
    attachment: () => kept.ask(`${file}/attachments/${withFile.attachments[0].id}`),
    flag: () => kept.ask(next(), "PATCH", { flagged: true }),
    move: () => kept.ask(next(), "PATCH", { folderId: folder.id }),
    delete: () => kept.ask(next(), "DELETE"),
    "search of one folder": () => kept.ask("/api/search?folder=INBOX&subject=file&preview=false"),
    [`search of all ${FOLDERS} folders`]: () => kept.ask("/api/search?subject=report"),
    [`conversation in ${FOLDERS} folders`]: () => kept.ask(`/api/threads/${plan!.id}`),
    "draft saved": save,
    "draft sent": async () => {
      await kept.ask(`/api/drafts/${drafts.pop()!}/send`, "POST");
    },
    folders: () => kept.ask("/api/folders"),
    send,
  };
};

/** Returns functions that make the requests of a signed-in user. */
const requestsOf = (base: string, token: string) => {
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
  const read = async (path: string, method?: string, body?: object) => JSON.parse(await ask(path, method, body));
  return {
    ask,
    read,
    page: () => ask("/api/inbox?preview=false"),
    emails: async (path: string) =>
      (await read(path)).emails as ReadonlyArray<{ readonly id: string; readonly hasAttachments: boolean }>,
    send: () => ask("/api/send", "POST", { to: "someone@elsewhere.test", subject: "Figures", text: "The figures.\n" }),
  };
};
