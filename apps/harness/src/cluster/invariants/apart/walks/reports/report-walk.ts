import { undeliverableNotice } from "@postern/memory";
import { Effect } from "effect";
import { byText } from "../../../../by-text.ts";
import { dataOf, eventsOf } from "../../../../events-of.ts";
import type { Invariant } from "../../../../Invariant.ts";
import { managedAccount } from "../../../deadlines/managed-account.ts";
import { clientOf } from "../../../send/outbox-client.ts";
import { ownerOf } from "../../../webhooks/owner-of.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../durations.ts";
import { type Act, walk } from "../walk.ts";

const STEPS = 16;
/** The number of jumps in which a wait passes. */
const PARTS = 3;
/** The longest wait between two attempts to read a report that found the parser busy. */
const LATE = 6 * MINUTE;
/** How long the parser is busy, and how long the parsing of a report fails, in milliseconds. */
const BUSY = [0, 10 * SECOND, 3 * MINUTE, 30 * MINUTE, 5 * HOUR, 5 * HOUR, 3 * DAY];
const BROKEN = [30 * SECOND, 30 * MINUTE, 20 * HOUR];

/** A report about a recipient, and the time by which its event is promised. */
interface Reported {
  readonly line: string;
  readonly by: number;
}

/**
 * A report about sent mail has one event for each recipient that it names, however long the parser is busy, its parsing fails or the
 * nodes are away, and however often it arrives; a report about other mail has none. [S9.5-6]
 */
export const reportWalk: Invariant = {
  name: "report-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const { random } = cluster;
        const account = yield* managedAccount(visit, cluster, "reported");
        const { send } = clientOf(visit, cluster, account);
        yield* ownerOf(visit, cluster, account).create("https://visit.sim.test/reported", {
          events: ["email.bounced"],
        });
        const reports: Array<Reported> = [];
        let serial = 0;
        const sent = () => cluster.smtp.taken.filter(({ from }) => from === account);
        const arrive = (recipient: string, raw: Uint8Array) => {
          const isBroken = random.chance(0.3);
          const millis = random.pick(isBroken ? BROKEN : BUSY)!;
          const field = `X-Parser: ${isBroken ? "crashed" : "busy"} ${visit.now + millis}\r\n`;
          const notice = undeliverableNotice(account, [recipient], raw, visit.now, ++serial);
          const text = Buffer.concat([new TextEncoder().encode(field), notice]);
          cluster.mail.account(account).mailbox("INBOX").append(text, visit.now);
          // After a failure, a report is read again after a minute, an hour, a day and three days.
          return visit.now + millis + (isBroken ? 4 * DAY + 2 * HOUR : LATE);
        };
        const acts: ReadonlyArray<Act> = [
          {
            name: "send",
            weight: 4,
            run: Effect.suspend(() => {
              const number = ++serial;
              return send(["one", "two", "three"].map((name) => `${name}-${number}`).join(" "));
            }),
          },
          {
            name: "a report arrives",
            weight: 5,
            isPossible: () => sent().length > 0,
            run: Effect.sync(() => {
              const { raw, recipients, envelopeId } = random.pick(sent())!;
              const unreported = recipients.filter((to) => !reports.some(({ line }) => line === `${envelopeId} ${to}`));
              const recipient = random.pick(unreported.length > 0 && random.chance(0.8) ? unreported : recipients)!;
              const line = `${envelopeId} ${recipient}`;
              const times = random.pick([1, 1, 2]);
              for (let n = 0; n < times; n++) reports.push({ line, by: arrive(recipient, raw) });
            }),
          },
          {
            name: "a forged report arrives",
            isPossible: () => sent().length > 0,
            run: Effect.sync(() => void arrive("stranger@far.test", random.pick(sent())!.raw)),
          },
          { name: "minutes pass", weight: 2, run: Effect.suspend(() => visit.skip(random.between(MINUTE, HOUR))) },
          { name: "hours pass", run: Effect.suspend(() => visit.skip(random.between(HOUR, 20 * HOUR))) },
        ];
        const compare = Effect.gen(function* () {
          yield* visit.wait(20 * SECOND);
          const told = eventsOf(cluster, account, "email.bounced").map((event) =>
            [dataOf(event, "outboxId"), dataOf(event, "recipient")].join(" "),
          );
          visit.same(told.length, new Set(told).size, "the recipients that bounced, each once");
          const possible = new Set(reports.map(({ line }) => line));
          visit.same(
            told.filter((line) => !possible.has(line)),
            [],
            "the bounces without a report",
          );
          const due = reports.filter(({ by }) => by < visit.now - 30 * SECOND && by > visit.now - 12 * DAY);
          const missing = due.filter(({ line }) => !told.includes(line)).map(({ line }) => line);
          visit.same([...new Set(missing)].toSorted(byText), [], "the reports without a bounce");
        });
        yield* walk(
          visit,
          cluster,
          acts.map((act) => ({ ...act, run: Effect.andThen(act.run, compare) })),
          STEPS,
        );
        // Each round lets the waits of the retries pass.
        for (const millis of [LATE, 20 * MINUTE, 20 * MINUTE, HOUR, 4 * HOUR, 4 * HOUR, DAY, 3 * DAY, 3 * DAY]) {
          for (let part = 0; part < PARTS; part++) yield* visit.skip(millis / PARTS);
          yield* compare;
        }
      }),
  }),
};
