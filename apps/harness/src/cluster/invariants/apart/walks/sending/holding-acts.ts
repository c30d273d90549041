import { Keys } from "@postern/core/auth";
import { Outbox } from "@postern/core/send";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import type { Act } from "../walk.ts";
import type { ModelMessage } from "./ModelMessage.ts";
import { APPLICATIONS, compareAll, makeKey, settle, STATES } from "./outbox-requests.ts";
import type { OutboxModel } from "./OutboxModel.ts";

/** The acts of owners and operators on messages that wait. [S6.6] [S6.7] */
export const holdingActs = (visit: Visit, cluster: Cluster, model: OutboxModel): ReadonlyArray<Act> => {
  const { random } = cluster;
  const outbox = <A, E extends { readonly _tag: string }>(
    name: string,
    use: (all: Outbox["Service"]) => Effect.Effect<A, E>,
  ) => visit.tagOf(name, (services) => use(Context.get(services, Outbox)));
  const keys = <A, E>(use: (all: Keys["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("keys", (services) => use(Context.get(services, Keys)));
  const certain = () => model.listed.filter((one) => !one.isUncertain(visit.now));
  /** Chooses a message, more often one that waits. */
  const choose = () => {
    const all = certain();
    const waiting = all.filter(({ isWaiting }) => isWaiting);
    return random.pick(waiting.length > 0 && random.chance(0.8) ? waiting : all);
  };
  const one = (name: string, weight: number, run: (message: ModelMessage) => Effect.Effect<unknown, unknown>): Act => ({
    name,
    weight,
    isPossible: () => certain().length > 0,
    run: Effect.suspend(() => run(choose()!)),
  });
  const live = () => model.keys.filter(({ isDeleted }) => !isDeleted);
  /** The keys that may be deleted: an application without keys cannot be resumed. */
  const endable = () =>
    live().filter(
      ({ application }) =>
        !model.suspended.has(application) || live().filter((one) => one.application === application).length > 1,
    );

  const release = (message: ModelMessage) =>
    Effect.gen(function* () {
      const isFitting = message.held?.by === "operator" && random.chance(0.7);
      const by = isFitting ? "operator" : random.pick([null, "operator" as const, ...model.usable])!;
      const who = by === null || by === "operator" ? by : { key: by.id, application: by.application };
      const { held, author } = message;
      const isRight =
        held !== null &&
        held.by !== "suspension" &&
        (by === "operator" || (held.by !== "operator" && (by === null || by.application === author?.application)));
      const tag = yield* outbox(`release ${message.subject}`, (all) =>
        all.release(message.account as never, message.id, who),
      );
      visit.same(
        tag,
        isRight ? "Answered" : "OutgoingNotReleasable",
        `a release of ${message.subject}, held by ${held?.by}, by ${JSON.stringify(who)}`,
      );
      if (isRight) message.release(held.by === "operator" ? author : who === "operator" ? null : who, visit.now);
    });

  const changeAll = Effect.gen(function* () {
    const change = random.pick(["hold", "hold", "release", "release", "cancel"] as const);
    const choices = {
      account: random.pick(model.accounts),
      application: random.pick(APPLICATIONS),
      key: random.pick(model.keys)?.id,
      state: random.pick(STATES),
      messageId: random.pick(model.messages)?.messageId,
    };
    const chosen = Object.fromEntries(
      random.some(Object.entries(choices), random.between(change === "cancel" ? 2 : 1, 4)),
    );
    const matches = model.messages.filter(
      (message) =>
        (chosen["account"] ?? message.account) === message.account &&
        (chosen["application"] ?? message.author?.application) === message.author?.application &&
        (chosen["key"] ?? message.author?.key) === message.author?.key &&
        (chosen["state"] ?? message.state) === message.state &&
        (chosen["messageId"] ?? message.messageId) === message.messageId,
    );
    if (model.messages.some((message) => message.isUncertain(visit.now))) return;
    const answer = yield* visit.ask(`${change} all`, (services) =>
      Context.get(services, Outbox).changeAll(change, chosen),
    );
    const changed = matches.filter((message) => {
      if (change === "hold") return message.hold("operator", visit.now);
      if (change === "cancel") return message.cancel();
      const { held, author } = message;
      if (held === null || held.by === "suspension") return false;
      message.release(held.by === "operator" ? author : null, visit.now);
      return true;
    });
    visit.same(
      answer,
      { messages: changed.length, sending: 0 },
      `the answer to ${change} of ${JSON.stringify(chosen)}`,
    );
  });

  /** The end of a key or of an application holds, cancels or keeps its messages. [S10.2-3] */
  const end = (mine: ReadonlyArray<ModelMessage>, mail: "hold" | "cancel" | "keep", isApplication: boolean) => {
    for (const message of mine) {
      const isSuspended = message.held?.by === "suspension";
      if (mail === "cancel") message.cancel();
      else if (mail === "keep" && isSuspended) message.release(null, visit.now);
      else if (mail === "keep") message.author = null;
      else if (isSuspended && isApplication) message.held = { ...message.held!, by: "key" };
      else message.hold("key", visit.now);
    }
  };
  const MAIL = [undefined, "hold", "cancel", "keep"] as const;

  /** A message on which a worker works is held at its next attempt, whatever becomes of the others. */
  const isBusy = () => (model.observe(), model.messages.some((message) => message.mayBeLeased(visit.now)));

  const endKey = Effect.gen(function* () {
    if (isBusy()) return;
    const key = random.pick(endable())!;
    const mail = random.pick(MAIL);
    yield* keys((all) => all.remove(key.id, mail));
    key.isDeleted = true;
    end(
      model.messages.filter(({ author, isWaiting }) => author?.key === key.id && isWaiting),
      mail ?? "hold",
      false,
    );
  });

  const endApplication = Effect.gen(function* () {
    if (isBusy()) return;
    const { application } = random.pick(live())!;
    const mail = random.pick(MAIL);
    yield* keys((all) => all.removeApplication(application, mail));
    for (const key of model.keys) if (key.application === application) key.isDeleted = true;
    model.suspended.delete(application);
    end(
      model.messages.filter(({ author, isWaiting }) => author?.application === application && isWaiting),
      mail ?? "cancel",
      true,
    );
  });

  const setSuspended = Effect.gen(function* () {
    const application = random.pick(model.keys.filter(({ isDeleted }) => !isDeleted))!.application;
    const isResume = model.suspended.has(application);
    if (!isResume && isBusy()) return;
    if (isResume) yield* keys((all) => all.resume(application));
    else yield* keys((all) => all.suspend(application));
    if (isResume) model.suspended.delete(application);
    else model.suspended.add(application);
    for (const message of model.messages) {
      if (message.author?.application !== application) continue;
      if (!isResume) message.hold("suspension", visit.now);
      else if (message.held?.by === "suspension") message.release(message.author, visit.now);
    }
  });

  return [
    one("cancel", 2, (message) =>
      Effect.gen(function* () {
        const isRight = ["queued", "scheduled", "held"].includes(message.state);
        const tag = yield* outbox(`cancel ${message.subject}`, (all) =>
          all.cancel(message.account as never, message.id),
        );
        visit.same(
          tag,
          isRight ? "Answered" : "OutgoingNotCancellable",
          `cancelling ${message.subject}, which is ${message.state}`,
        );
        if (isRight) message.cancel();
      }),
    ),
    one("send now", 2, (message) =>
      Effect.gen(function* () {
        const isRight = message.state === "queued";
        const tag = yield* outbox(`hasten ${message.subject}`, (all) =>
          all.sendNow(message.account as never, message.id),
        );
        visit.same(
          tag,
          isRight ? "Answered" : "OutgoingNotWaiting",
          `hastening ${message.subject}, which is ${message.state}`,
        );
        if (isRight) message.due = Math.min(message.due!, visit.now);
      }),
    ),
    one("release", 2, release),
    {
      name: "release a held one",
      weight: 5,
      isPossible: () => certain().some(({ held }) => held !== null),
      run: Effect.suspend(() => release(random.pick(certain().filter(({ held }) => held !== null))!)),
    },
    one("ask for the message of another account", 1, ({ id, account }) =>
      Effect.gen(function* () {
        const other = model.accounts.find((each) => each !== account)!;
        const tags = [
          yield* outbox("find", (all) => all.find(other, id)),
          yield* outbox("cancel", (all) => all.cancel(other, id)),
          yield* outbox("hasten", (all) => all.sendNow(other, id)),
          yield* outbox("release", (all) => all.release(other, id, null)),
        ];
        for (const tag of tags) visit.same(tag, "OutgoingNotFound", "a request about another account's message");
      }),
    ),
    one("hold one by the operator", 3, (message) =>
      Effect.gen(function* () {
        yield* visit.ask("hold", (services) =>
          Context.get(services, Outbox).changeAll("hold", { messageId: message.messageId }),
        );
        message.hold("operator", visit.now);
      }),
    ),
    {
      name: "change many messages",
      weight: 3,
      isPossible: () => model.messages.length > 0,
      run: Effect.suspend(() => changeAll),
    },
    { name: "delete a key", weight: 2, isPossible: () => endable().length > 0, run: Effect.suspend(() => endKey) },
    { name: "delete an application", isPossible: () => live().length > 2, run: Effect.suspend(() => endApplication) },
    {
      name: "suspend or resume",
      weight: 2,
      isPossible: () => live().length > 0,
      run: Effect.suspend(() => setSuspended),
    },
    {
      name: "make a key",
      weight: 2,
      isPossible: () => live().length < 4,
      run: Effect.suspend(() => makeKey(visit, model, random.pick(APPLICATIONS)!, random.pick([null, 2])!)),
    },
    { name: "compare all", weight: 3, run: Effect.suspend(() => compareAll(visit, cluster, model)) },
  ].map((act) => ({ ...act, run: Effect.andThen(act.run, settle(visit, model)) }));
};
