import { Audit, AuditTrail } from "@postern/core/audit";
import { MessageActions } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { AnsweredCall } from "../../../../faults/PortCall.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { type BoxMessage, type BoxModel, PLACES, textOf } from "./BoxModel.ts";

type Actions = MessageActions["Service"];
type Flags = Parameters<Actions["change"]>[2];

/** The number of entries of the audit that are compared. */
const AUDITED = 3;
/** How long a node that loses an answer is cut off from the mail server, in milliseconds. */
const CUT_MILLIS = 10;

/**
 * Acts in which the mail server refuses a change of messages in one of several folders, or in which its answer is lost. A change
 * may have had an effect on some of the messages; each message stays in one folder, and its id opens it.
 */
export const refusedActs = (visit: Visit, cluster: Cluster, model: BoxModel): ReadonlyArray<Act> => {
  const { random, servers, timeline, observers } = cluster;
  const { account } = model;
  /** A message whose answer is lost is found by its Message-ID. */
  const known = () =>
    model.messages.filter(
      (one) => one.id !== null && model.messages.every((other) => other === one || other.messageId !== one.messageId),
    );
  /** Loses the answer to the next change. */
  const loseAnswer = () => {
    const see = ({ node, port, args }: AnsweredCall) => {
      if (port !== "MessageChanges" || args[0] !== account) return;
      end();
      node.cutOffFrom.add("mail");
      timeline.after(CUT_MILLIS, () => node.cutOffFrom.delete("mail"));
    };
    const end = () => void (observers.includes(see) && observers.splice(observers.indexOf(see), 1));
    observers.push(see);
    return end;
  };
  const prevent = () => {
    const fault = random.pick(["lost", "lost", "read-only", "rights", "quota"] as const);
    if (fault === "lost") return loseAnswer();
    if (fault === "read-only") {
      const mailbox = model.mailbox(random.pick(PLACES));
      mailbox.isReadOnly = true;
      return () => void (mailbox.isReadOnly = false);
    }
    servers.refusals.set(account, fault === "quota" ? "over_quota" : "not_permitted");
    return () => void servers.refusals.delete(account);
  };
  /** Learns from the server which messages were changed. */
  const settle = (some: ReadonlyArray<BoxMessage>, flags: Flags, to: string | undefined, isDone: boolean) => {
    for (const one of some) {
      const isHere = (place: string) =>
        model.mailbox(place).messages.some(({ summary }) => summary.subject === one.subject);
      const [place, ...others] = PLACES.filter(isHere);
      visit.same(others, [], `further folders with ${one.subject}`);
      if (place === undefined) {
        visit.expect(to === "", `${one.subject} is lost`);
        model.remove(one);
        continue;
      }
      const { summary } = model.mailbox(place).messages.find((other) => other.summary.subject === one.subject)!;
      const changed = { ...one };
      model.apply(changed, flags);
      const isChanged = textOf(summary).join() === textOf(changed).join();
      visit.expect(
        isChanged || textOf(summary).join() === textOf(one).join(),
        `the flags of ${one.subject} are others`,
      );
      visit.expect(place === (to ?? one.place) || place === one.place, `${one.subject} is in ${place}`);
      if (isDone) visit.same([isChanged, place], [true, to ?? one.place], `an answered change of ${one.subject}`);
      if (isChanged) model.apply(one, flags);
      one.place = place;
    }
  };
  /** The latest entries of the audit. An entry is kept even if the server refuses a deletion. */
  const audit = Effect.map(
    visit.ask("the audit", (services) => Context.get(services, Audit).page({ limit: AUDITED }, { key: null, account })),
    ({ items }) => items.map(({ operation, target, ids }) => [operation, target, ids]),
  );
  return [
    {
      name: "a change is refused or its answer is lost",
      weight: 3,
      isPossible: () => known().length > 0,
      run: Effect.gen(function* () {
        const some = random.some(known(), random.between(1, 4));
        const flags = random.pick<Flags>([
          {},
          { unread: random.chance(0.5) },
          { flagged: random.chance(0.5), addLabels: ["Work"] },
          { answered: true, removeLabels: ["travel"] },
        ]);
        const place = random.pick(PLACES.filter((one) => model.ids.has(one)))!;
        const what = random.pick(["flags", "move", "trash", "destroy"] as const);
        const ids = some.map(({ id }) => id!);
        const isRemoval = what === "trash" || what === "destroy";
        const act = (all: Actions) => {
          if (isRemoval)
            return ids.length === 1
              ? all.remove(account, ids[0]!, what === "destroy")
              : all.carryOut(account, ids, { _tag: what === "trash" ? "Trash" : "Destroy" });
          const change = what === "flags" ? { flagged: true, ...flags } : flags;
          const folderId = what === "move" ? model.ids.get(place)! : undefined;
          return some.length === 1
            ? all.change(account, ids[0]!, change, folderId)
            : all.carryOut(account, ids, { _tag: "Change", flags: change, folderId });
        };
        const before = yield* audit;
        const end = prevent();
        const done = yield* visit.tagOf("change", (services) =>
          Effect.provideService(
            act(Context.get(services, MessageActions)) as Effect.Effect<unknown, { readonly _tag: string }>,
            AuditTrail,
            Context.get(services, Audit).trailOf({ key: null, application: null }),
          ),
        );
        end();
        yield* visit.wait(SECOND);
        const entry = ids.length === 1 ? ["messages.remove", ids[0], []] : ["messages.batch", null, ids];
        const promised = isRemoval ? [entry, ...before].slice(0, AUDITED) : before;
        visit.same(yield* audit, promised, `the audit after a request that the server may refuse`);
        visit.expect(done === "Answered" || done === "MailServerError", `a change that the server prevents is ${done}`);
        const to = { flags: undefined, move: place, trash: "Trash", destroy: "" }[what];
        const change = what === "flags" ? { flagged: true, ...flags } : what === "move" ? flags : {};
        settle(some, change, to, done === "Answered");
        const sought = what === "trash" ? "Trash" : what === "move" ? place : undefined;
        if (sought !== undefined && done !== "Answered") for (const one of some) one.sought.add(sought);
      }),
    },
  ];
};
