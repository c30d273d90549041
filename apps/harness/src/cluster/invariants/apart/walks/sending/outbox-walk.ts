import { Keys } from "@postern/core/auth";
import { Outbox } from "@postern/core/send";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Invariant } from "../../../../Invariant.ts";
import { managedAccount } from "../../../deadlines/managed-account.ts";
import type { Visit } from "../../../../Visit.ts";
import { MINUTE, SECOND } from "../../durations.ts";
import { walk, worldActs } from "../walk.ts";
import { holdingActs } from "./holding-acts.ts";
import { sendingActs } from "./outbox-acts.ts";
import { compareAll, makeKey, settle } from "./outbox-requests.ts";
import { OutboxModel } from "./OutboxModel.ts";
import { quotaActs } from "./quota-acts.ts";

/** The acts of a walk. */
const STEPS = 45;

/**
 * Random requests to send, repeats, holds, releases and cancellations, by owners, keys of two applications and the
 * operator, follow the model of a message: each attempt, answer, event, listing and copy is as promised. [S6.3] to [S6.7]
 */
export const outboxWalk: Invariant = {
  name: "outbox-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const accounts = [
          yield* managedAccount(visit, cluster, "walked"),
          yield* managedAccount(visit, cluster, "walked-too"),
        ];
        const model = new OutboxModel(visit, cluster, accounts);
        for (const [application, perDay] of [
          ["shop", 3],
          ["shop", null],
          ["news", null],
        ] as const)
          yield* makeKey(visit, model, application, perDay);
        const passing = worldActs(visit, cluster, () => model.deadlines).map((act) => ({
          ...act,
          // A node that ends while it sends a message leaves the outcome open.
          isPossible: () => (act.isPossible?.() ?? true) && !(act.name === "a node crashes" && model.isSending()),
          run: Effect.gen(function* () {
            yield* act.run;
            model.ran();
            yield* settle(visit, model);
          }),
        }));
        yield* walk(
          visit,
          cluster,
          [
            ...sendingActs(visit, cluster, model),
            ...quotaActs(visit, cluster, model),
            ...holdingActs(visit, cluster, model),
            ...passing,
          ],
          STEPS,
        );
        yield* finish(visit, cluster, model);
      }),
  }),
};

/** The most messages whose end is compared. */
const ENDS = 8;
const NEAR = 30 * SECOND;

/** Releases what is held, and lets the lifetimes of the messages pass, so that each ends when it is promised to. */
const finish = (visit: Visit, cluster: Cluster, model: OutboxModel) =>
  Effect.gen(function* () {
    const pass = (until: number) =>
      Effect.gen(function* () {
        yield* visit.skip(Math.max(2 * SECOND, until - visit.now));
        model.ran();
        yield* settle(visit, model);
        yield* compareAll(visit, cluster, model);
      });
    for (const application of model.suspended) {
      yield* visit.ask("resume", (services) => Context.get(services, Keys).resume(application));
      model.suspended.delete(application);
      for (const message of model.messages)
        if (message.held?.by === "suspension" && message.author?.application === application)
          message.release(message.author, visit.now);
    }
    yield* settle(visit, model);
    for (let round = 0; round < ENDS && cluster.violations.length === 0; round++) {
      if (model.messages.some(({ held }) => held !== null)) {
        yield* visit.ask("release all", (services) =>
          Context.get(services, Outbox).changeAll("release", { state: "held" }),
        );
        // Messages that were sent to some recipients are not in the state `held`.
        for (const message of model.messages)
          if (message.state === "held")
            message.release(message.held!.by === "operator" ? message.author : null, visit.now);
        yield* settle(visit, model);
      }
      const ends = model.messages.filter(({ isWaiting, held }) => isWaiting && held === null).map(({ end }) => end);
      const next = Math.min(...ends.filter((end) => end > visit.now + MINUTE));
      if (next === Infinity || cluster.violations.length > 0) break;
      yield* pass(next - NEAR);
      yield* pass(next + NEAR);
    }
  });
