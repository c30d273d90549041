import { type Draft, Drafts, DraftSender } from "@postern/core/drafts";
import { OutgoingJournal, type OutgoingMessage } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect, Option } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { AnsweredCall } from "../../faults/PortCall.ts";
import type { Visit } from "../../Visit.ts";
import { copiesOfDraft } from "../../world/edit-elsewhere.ts";
import { begin, insist } from "./insist.ts";
import type { Takeover } from "./Takeover.ts";

/** The time until the node of a request is stopped, in milliseconds. */
const REQUEST_MILLIS = 5_000;
/** The number of attempts to make two saves of one version overlap, for which both must begin before one ends. */
const TRIES = 30;
/** A time longer than the takeover of a message after its worker stopped, in milliseconds. */
const TAKEN_OVER = 45_000;

const writerOf = (visit: Visit, cluster: Cluster, name: string) =>
  Effect.map(visit.signUp(name), (account) => {
    const request = (subject: string) => ({ to: "reader@far.test", subject, text: "simulated" });
    const save = (id: string, version: number, subject: string) =>
      visit.ask(`save ${subject}`, (services) =>
        Context.get(services, Drafts).save(account, id, String(version), request(subject)),
      );
    return {
      account,
      create: (subject: string) =>
        visit.ask("create", (services) => Context.get(services, Drafts).create(account, request(subject))),
      get: (id: string) =>
        insist(
          visit,
          visit.ask("get", (services) => Context.get(services, Drafts).get(account, id)),
        ),
      save,
      copies: (id: string) => copiesOfDraft(cluster, { account, id }).length,
    };
  });

/**
 * Returns the draft with which a call completed a save; null if the call refused a save, undefined for any other call.
 */
const savedBy = ({ port, method, args, answer }: AnsweredCall, account: AccountId): Draft | null | undefined => {
  if (port !== "DraftRecords" || method !== "change" || args[0] !== account) return undefined;
  const ended = Option.getOrUndefined(answer as Option.Option<unknown>);
  return Array.isArray(ended) ? (ended[0] as Draft | null) : undefined;
};

/** A node that ends after it completed a save leaves the saved version, and at most one further copy. [S12.1-7] [S12.1-13] */
export const saveCompleted: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const writer = yield* writerOf(visit, cluster, "saving");
    const { id, version } = yield* writer.create("first");
    stop.arm((call) => savedBy(call, writer.account)?.id === id);
    yield* begin(writer.save(id, version, "second"));
    yield* visit.within(REQUEST_MILLIS, "no save is completed", () => stop.isHit);
    const copies = writer.copies(id);
    visit.expect(copies <= 2, `a node that ended in a save leaves ${copies} copies`);
    const read = yield* writer.get(id);
    visit.same(
      [read.contents.subject, read.version],
      ["second", version + 1],
      "a draft whose save was cut off at its end",
    );
    yield* insist(visit, writer.save(id, read.version, "third"));
    yield* visit.wait(REQUEST_MILLIS);
    visit.same(writer.copies(id), 1, "the copies of a draft after the next save");
  });

/**
 * If two saves concern one version, one of them is completed, and stays completed if the node of the other save ends.
 * [S12.1-15]
 */
export const saveRefused: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const writer = yield* writerOf(visit, cluster, "refusing");
    const { id, version } = yield* writer.create("first");
    let current = version;
    let completed: string | undefined;
    stop.arm((call) => {
      const saved = savedBy(call, writer.account);
      if (saved !== undefined && saved !== null) completed = saved.contents.subject;
      return saved === null;
    });
    for (let tries = 0; tries < TRIES && !stop.isHit; tries++) {
      yield* begin(writer.save(id, current, `left ${tries}`));
      yield* begin(writer.save(id, current, `right ${tries}`));
      yield* visit.wait(REQUEST_MILLIS);
      if (!stop.isHit) current = (yield* writer.get(id)).version;
    }
    visit.expect(stop.isHit, "of two saves of one version none is refused");
    const read = yield* writer.get(id);
    visit.same(read.contents.subject, completed, "the draft after a save whose node ended when it was refused");
  });

/**
 * A draft whose node ended after it journaled the message counts as being sent, and a repeated request sends no second
 * message. [S12.1-22]
 */
export const draftSent: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const { account, create } = yield* writerOf(visit, cluster, "handing");
    const { id } = yield* create("handed over");
    stop.arm(
      ({ port, method, args }) =>
        port === "OutgoingJournal" && method === "insert" && (args[0] as OutgoingMessage).account === account,
    );
    const send = visit.ask("send", (services) =>
      Context.get(services, DraftSender).send(account, id, undefined, undefined),
    );
    yield* begin(send);
    yield* visit.within(REQUEST_MILLIS, "no message of a draft is journaled", () => stop.isHit);
    yield* insist(visit, send);
    yield* visit.wait(TAKEN_OVER);
    const entries = cluster.ask((ports) =>
      Context.get(ports, OutgoingJournal).list({ account }, cluster.timeline.now, 100),
    );
    visit.same(entries.length, 1, "the messages of a draft that was sent again after its node ended");
  });
