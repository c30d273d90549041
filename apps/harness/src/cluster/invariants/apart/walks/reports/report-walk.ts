import { Effect } from "effect";
import { byText } from "../../../../by-text.ts";
import type { Cluster } from "../../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../../events-of.ts";
import type { Invariant } from "../../../../Invariant.ts";
import type { TakenMessage } from "../../../../servers/SmtpSink.ts";
import type { Visit } from "../../../../Visit.ts";
import { managedAccount } from "../../../deadlines/managed-account.ts";
import { clientOf } from "../../../send/outbox-client.ts";
import { ownerOf } from "../../../webhooks/owner-of.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../durations.ts";
import { type Act, walk } from "../walk.ts";
import { KINDS, NAMINGS, type ReportKind, saidOf, writeReport } from "./written-reports.ts";

const STEPS = 18;
/** The number of jumps in which a wait passes. */
const PARTS = 3;
/** The longest wait between two attempts to read a report that found the parser busy. */
const LATE = 6 * MINUTE;
/** How long the parser is busy, and how long the parsing of a report fails, in milliseconds. */
const BUSY = [0, 0, 10 * SECOND, 3 * MINUTE, 30 * MINUTE, 5 * HOUR, 3 * DAY, 8 * DAY];
const BROKEN = [30 * SECOND, 30 * MINUTE, 20 * HOUR];
/** How long before it is stored a report arrived, by its INTERNALDATE: it may be moved to INBOX later. */
const OLD = [0, 0, 0, 2 * HOUR, 5 * DAY, 15 * DAY, 60 * DAY];
/** How long after it was sent a message is found by its recipient and subject, and a time after which it is not. */
const NAMELESS = { found: 7 * DAY - HOUR, lost: 7 * DAY + HOUR };

/** A report about a recipient, and the time by which its event is promised; infinite if it is allowed and not promised. */
interface Reported {
  readonly line: string;
  readonly uid: number;
  readonly at: number;
  by: number;
}

/** A recipient whom a report names. */
interface Told {
  readonly message: TakenMessage;
  readonly recipient: string;
}

/** Returns the subject of a message as reports compare it. */
const subjectOf = ({ raw }: TakenMessage): string =>
  /^Subject: (.*)\r$/m.exec(new TextDecoder().decode(raw))![1]!.toLowerCase();

/**
 * A report about sent mail has one event of its kind for each recipient that it names, however it names the message, however long
 * the parser is busy, its parsing fails or the nodes are away, however often it arrives and however old it is then; a report about
 * other mail has none, and neither has a complaint that does not tell which of several recipients complained. [S7.2-1] [S7.3-1] [S9.5-2] [S9.5-6] [S9.5-7]
 */
export const reportWalk: Invariant = {
  name: "report-walk",
  watch: () => ({ apart: (visit, cluster) => report(visit, cluster) }),
};

const report = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const { random } = cluster;
    const account = yield* managedAccount(visit, cluster, visit.pickInTurn(["reported", "storing-reported"]));
    const { send } = clientOf(visit, cluster, account);
    yield* ownerOf(visit, cluster, account).create("https://visit.sim.test/reported", { events: ["email.bounced"] });
    const inbox = cluster.mail.account(account).mailbox("INBOX");
    const reports: Array<Reported> = [];
    let serial = 0;
    const sent = () => cluster.smtp.taken.filter(({ from }) => from === account);
    /** Stores a report in INBOX; returns its UID and the time by which it is read. */
    const arrive = (
      kind: ReportKind,
      naming: (typeof NAMINGS)[number],
      about: TakenMessage,
      recipients: ReadonlyArray<string>,
      arrivedAt = visit.now,
    ) => {
      const isBroken = random.chance(0.25);
      const millis = random.pick(isBroken ? BROKEN : BUSY)!;
      const field = `X-Parser: ${isBroken ? "crashed" : "busy"} ${visit.now + millis}\r\n`;
      const text = writeReport({ kind, naming, about, recipients, now: visit.now, serial: ++serial });
      const { uid } = inbox.append(new TextEncoder().encode(field + text), arrivedAt);
      // After a failure, a report is read again after a minute, an hour, a day and three days.
      return { uid, by: visit.now + millis + (isBroken ? 4 * DAY + 2 * HOUR : LATE) };
    };
    /** Returns another recipient whom a report may name: of the message, or of another one with its subject if it names only that. */
    const pickOther = (about: TakenMessage, naming: (typeof NAMINGS)[number], recipient: string): Told | undefined => {
      const alike = sent().filter((one) => subjectOf(one) === subjectOf(about));
      const message = naming === "subject" ? random.pick(alike)! : about;
      const other = random.pick(message.recipients.filter((to) => to !== recipient));
      return other === undefined ? undefined : { message, recipient: other };
    };
    /** Returns the messages for which a report may count, the latest first; it counts for the latest, of those that are certain. */
    const targetsOf = (about: TakenMessage, naming: (typeof NAMINGS)[number], to: string, arrivedAt: number) => {
      if (naming !== "subject") return [{ envelopeId: about.envelopeId, isCertain: true }];
      return sent()
        .filter((one) => subjectOf(one) === subjectOf(about) && one.recipients.includes(to))
        .map(({ envelopeId, at }) => ({ envelopeId, age: arrivedAt - at }))
        .filter(({ age }) => age >= -HOUR && age <= NAMELESS.lost)
        .toSorted((one, other) => one.age - other.age)
        .map(({ envelopeId, age }) => ({ envelopeId, isCertain: age >= 0 && age < NAMELESS.found }));
    };
    let lastTo = "";
    const come = () => {
      const kind = random.pick(["bounced", ...KINDS] as const);
      const naming = random.pick(NAMINGS);
      const about = random.pick(sent())!;
      const { recipients, envelopeId } = about;
      const unreported = recipients.filter((to) => !reports.some(({ line }) => line.endsWith(`${envelopeId} ${to}`)));
      const recipient = random.pick(unreported.length > 0 && random.chance(0.7) ? unreported : recipients)!;
      const arrivedAt = visit.now - random.pick(OLD)!;
      // Reporters redact who complains; only a single recipient can be told from that.
      const isRedacted = kind === "complained" && random.chance(0.4);
      const isNobodys = isRedacted && (recipients.length > 1 || naming === "subject");
      const isAlone = kind === "complained" || random.chance(naming === "subject" ? 0.2 : 0.6);
      const other = isAlone ? undefined : pickOther(about, naming, recipient);
      const all: ReadonlyArray<Told> = [{ message: about, recipient }, ...(other === undefined ? [] : [other])];
      for (let times = random.pick([1, 1, 2]); times > 0; times--) {
        const named = isRedacted ? [] : all.map((one) => one.recipient);
        const { uid, by } = arrive(kind, naming, about, named, arrivedAt);
        if (isNobodys) continue;
        for (const { message, recipient: to } of all) {
          const possible = targetsOf(message, naming, to, arrivedAt);
          const isFound = possible.every(({ isCertain }) => isCertain);
          for (const { envelopeId: id } of isFound ? possible.slice(0, 1) : possible) {
            const name = `${id} ${to}`;
            // A recipient who bounced is not told as delayed.
            const isMoot = kind === "delayed" && reports.some(({ line }) => line === `bounced ${name}`);
            if (kind === "bounced") for (const one of reports) if (one.line === `delayed ${name}`) one.by = Infinity;
            reports.push({ line: `${kind} ${name}`, uid, at: visit.now, by: isFound && !isMoot ? by : Infinity });
          }
        }
      }
    };
    const acts: ReadonlyArray<Act> = [
      {
        name: "send",
        weight: 4,
        run: Effect.suspend(() => {
          const number = ++serial;
          // Some servers give a message another Message-ID, which reports then name.
          const names = [random.pick(["one", "renamed"]), "two", "three"].slice(0, random.pick([1, 2, 3, 3]));
          // A message that goes to many has one subject, and each copy other recipients.
          const more = random.chance(0.8) ? { subject: random.pick(["News", "news"])! } : {};
          // Some messages go to the same people again, but not soon after a report, which would count for the new message.
          const isSoon = reports.some(({ at }) => at > visit.now - 2 * HOUR);
          if (lastTo === "" || isSoon || random.chance(0.5))
            lastTo = names.map((name) => `${name}-${number}`).join(" ");
          return send(lastTo, { more });
        }),
      },
      { name: "a report arrives", weight: 6, isPossible: () => sent().length > 0, run: Effect.sync(come) },
      {
        name: "a forged report arrives",
        isPossible: () => sent().length > 0,
        run: Effect.sync(() => {
          const about = random.pick(sent())!;
          arrive(random.pick(KINDS), random.pick(NAMINGS), about, ["stranger@far.test"]);
          const other = { ...about, envelopeId: "unknown", raw: new TextEncoder().encode("Subject: other\r\n\r\n") };
          arrive(random.pick(KINDS), random.pick(NAMINGS), other, [about.recipients[0]!]);
        }),
      },
      {
        name: "another program deletes a report",
        isPossible: () => reports.length > 0,
        run: Effect.sync(() => {
          const { uid } = random.pick(reports)!;
          inbox.expunge([uid]);
          for (const one of reports) if (one.uid === uid) one.by = Infinity;
        }),
      },
      {
        name: "all nodes are away",
        run: Effect.gen(function* () {
          const from = visit.now;
          for (let place = 0; place < cluster.size; place++) cluster.crash(place);
          for (let parts = random.between(1, 4); parts > 0; parts--) {
            yield* visit.skip(random.pick([MINUTE, HOUR, 20 * HOUR]));
            if (sent().length > 0 && random.chance(0.6)) come();
          }
          for (let place = 0; place < cluster.size; place++) cluster.boot(place);
          yield* visit.wait(20 * SECOND);
          for (const one of reports) if (one.by > from) one.by += visit.now - from;
        }),
      },
      { name: "minutes pass", weight: 2, run: Effect.suspend(() => visit.skip(random.between(MINUTE, HOUR))) },
      { name: "hours pass", weight: 2, run: Effect.suspend(() => visit.skip(random.between(HOUR, 20 * HOUR))) },
    ];
    const compare = Effect.gen(function* () {
      yield* visit.wait(20 * SECOND);
      const told = KINDS.flatMap((kind) =>
        eventsOf(cluster, account, `email.${kind}`).map((event) => {
          const [about, recipient] = [dataOf(event, "outboxId"), String(dataOf(event, "recipient"))];
          for (const [name, value] of Object.entries(saidOf(kind, account, recipient)))
            visit.same(dataOf(event, name), value, `${name} of an event about a report`);
          return [kind, about, recipient].join(" ");
        }),
      );
      const copies = cluster.mail.account(account).mailbox("Sent").messages;
      visit.same(copies.length, sent().length, "the number of copies in Sent");
      visit.same(told.length, new Set(told).size, "the number of reports that are told, each once");
      const possible = new Set(reports.map(({ line }) => line));
      visit.same(
        told.filter((line) => !possible.has(line)),
        [],
        "the events without a report",
      );
      // Events are kept for 14 days, and the first report of several has the event.
      const first = new Map(reports.toReversed().map((one) => [one.line, one.at]));
      const due = reports.filter(
        ({ by, line }) => by < visit.now - 30 * SECOND && first.get(line)! > visit.now - 13 * DAY,
      );
      const missing = due.filter(({ line }) => !told.includes(line)).map(({ line }) => line);
      visit.same([...new Set(missing)].toSorted(byText), [], "the reports without an event");
    });
    yield* walk(
      visit,
      cluster,
      acts.map((act) => ({ ...act, run: Effect.andThen(act.run, compare) })),
      STEPS,
    );
    // Each round lets the waits of the retries pass.
    for (const millis of [LATE, 20 * MINUTE, 20 * MINUTE, HOUR, 4 * HOUR, 4 * HOUR, DAY, 3 * DAY, 3 * DAY, 2 * DAY]) {
      for (let part = 0; part < PARTS; part++) yield* visit.skip(millis / PARTS);
      yield* compare;
    }
  });
