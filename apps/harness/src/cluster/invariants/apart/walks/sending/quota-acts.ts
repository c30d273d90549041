import { MessageSender, Outbox, type SendingKey } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { HoldPoint } from "../../../crossings/HoldPoint.ts";
import { serveBeside } from "../../../crossings/serve-beside.ts";
import { DAY } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { type OutboxModel, PER_MINUTE } from "./OutboxModel.ts";
import { settle } from "./outbox-requests.ts";
import { type Request, wrongFields } from "./written-requests.ts";

/** The id of a message, or the tag of an error. */
interface Answer {
  readonly id: string | undefined;
  readonly tag: string | null;
}

/** The acts of clients at the end of a quota: only messages that are journaled count, each once. [S6.5-2] [S6.5-5] [S6.6-11] */
export const quotaActs = (visit: Visit, cluster: Cluster, model: OutboxModel): ReadonlyArray<Act> => {
  const { random } = cluster;
  const hold = new HoldPoint(cluster);
  cluster.listeners.push((call) => hold.see(call));
  let count = 0;
  const ask = (account: AccountId, request: Request, key: string | undefined, by: SendingKey | null) =>
    Effect.map(
      Effect.result(
        visit.ask(`send ${request.subject}`, (services) =>
          Context.get(services, MessageSender).send(account, request, key, by),
        ),
      ),
      (answer): Answer =>
        answer._tag === "Success" ? { id: answer.success.id, tag: null } : { id: undefined, tag: answer.failure._tag },
    );
  /** A message that waits for a day, so that it only counts. */
  const planned = (): Request => ({
    to: ["one@far.test"],
    subject: `quota ${++count}`,
    text: "walked",
    sendAt: new Date(visit.now + DAY).toISOString(),
  });
  const cancel = (account: AccountId, id: string) =>
    Effect.map(
      visit.tagOf("cancel", (services) => Context.get(services, Outbox).cancel(account, id)),
      (tag) => visit.same(tag, "Answered", "cancelling a scheduled message"),
    );
  /** Sends messages until so many are left; returns false if the limit cannot be told. */
  const useUpTo = (account: AccountId, by: SendingKey | null, rest: number) =>
    Effect.gen(function* () {
      for (let sent = 0; sent <= PER_MINUTE; sent++) {
        const at = visit.now;
        const left = model.left(account, by, at);
        if (left === undefined) return false;
        if (Math.min(left.minute, left.day) <= rest) return Math.min(left.minute, left.day) === rest;
        const answer = yield* ask(account, planned(), undefined, by);
        visit.same(answer.tag, null, "a message up to a quota");
        if (answer.id === undefined) return false;
        model.count(account, by, at);
        yield* cancel(account, answer.id);
      }
      return false;
    });
  /** Asks for one more message, and compares the answer with the quota. */
  const oneMore = (account: AccountId, by: SendingKey | null, when: string) =>
    Effect.gen(function* () {
      const at = visit.now;
      const excess = model.excess(account, by, at);
      if (excess === undefined) return;
      const answer = yield* ask(account, planned(), undefined, by);
      visit.same(answer.tag, excess, `a message up to or beyond a quota ${when}`);
      if (answer.id === undefined) return;
      model.count(account, by, at);
      yield* cancel(account, answer.id);
    });
  const pickSender = () => {
    const limited = model.usable.filter(({ sendPerDay }) => sendPerDay !== null);
    return [random.pick(model.accounts)!, random.chance(0.4) ? null : (random.pick(limited) ?? null)] as const;
  };
  const act = (name: string, weight: number, run: Effect.Effect<unknown, unknown>): Act => ({
    name,
    weight,
    run: Effect.andThen(run, settle(visit, model)),
  });

  return [
    act(
      "use up a quota",
      1,
      Effect.gen(function* () {
        const [account, by] = pickSender();
        if (!(yield* useUpTo(account, by, random.pick([0, 1])))) return;
        yield* oneMore(account, by, "at its end");
        yield* oneMore(account, by, "after its end");
      }),
    ),
    act(
      "send twice at once at the end of a quota",
      2,
      Effect.gen(function* () {
        const [account, by] = pickSender();
        if (!(yield* useUpTo(account, by, random.pick([1, 2])))) return;
        const [request, key, at] = [planned(), `quota-${count}`, visit.now];
        const both: Array<Answer> = [];
        const one = Effect.map(ask(account, request, key, by), (answer) => void both.push(answer));
        // The second request is served while the node of the first one stands still.
        yield* serveBeside(visit, hold, { about: [account], call: random.between(1, 12) }, one, one);
        const [id, ...others] = [...new Set(both.flatMap((one) => one.id ?? []))];
        visit.expect(id !== undefined && others.length === 0, "two requests at once with one key are not one message");
        for (const { tag } of both)
          visit.expect(
            tag === null || tag === "SendInProgress" || tag === "StoreUnavailable",
            `one of two requests at once with one key at the end of a quota is answered with ${tag}`,
          );
        if (id === undefined) return;
        model.count(account, by, at);
        yield* cancel(account, id);
        yield* oneMore(account, by, "after two requests at once with one key");
      }),
    ),
    act(
      "repeat and fail at the end of a quota",
      2,
      Effect.gen(function* () {
        const [account, by] = pickSender();
        if (!(yield* useUpTo(account, by, 1))) return;
        const [request, key] = [planned(), `quota-${count}`];
        const { sendAt: _, ...unplanned } = request;
        const wrong = yield* ask(account, { ...unplanned, ...wrongFields(random, visit.now) }, key, by);
        visit.same(wrong.tag, "InputInvalid", "a wrong request at the end of a quota");
        const stranger = yield* ask(account, { ...request, from: "stranger@far.test" }, key, by);
        visit.same(stranger.tag, "SenderNotAllowed", "a request from another sender at the end of a quota");
        const at = visit.now;
        const first = yield* ask(account, request, key, by);
        visit.same(first.tag, null, "the last message of a quota, after refused requests");
        if (first.id === undefined) return;
        model.count(account, by, at);
        visit.same(yield* ask(account, request, key, by), first, "the answer to a repeat beyond a quota");
        const other = yield* ask(account, { ...request, text: "another" }, key, by);
        visit.same(other.tag, "IdempotencyKeyReused", "another body under a used key, beyond a quota");
        yield* cancel(account, first.id);
        yield* oneMore(account, by, "after a repeat");
      }),
    ),
  ];
};
