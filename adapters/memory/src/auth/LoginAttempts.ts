import { type LoginHistory, LoginAttempts, type LoginVerdict, MAX_FAILURE_WINDOW } from "@postern/core/auth";
import { Duration, Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

const pair = (account: string, network: string) => `${account}\0${network}`;

/** Failed and successful sign-ins, kept in memory. */
export const layer = Layer.effect(
  LoginAttempts,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const state = yield* cell("sign-ins", {
      attempts: HashMap.empty<string, LoginHistory["attempts"][number]>(),
      successes: HashMap.empty<string, number>(),
    });

    return LoginAttempts.of({
      judge: (attempt, verdictOf) =>
        state.modify((now): readonly [LoginVerdict, typeof now] => {
          const since = attempt.at - Duration.toMillis(MAX_FAILURE_WINDOW);
          const verdict = verdictOf({
            attempts: [...HashMap.values(now.attempts)].filter(
              ({ account, network, at }) => at > since && (account === attempt.account || network === attempt.network),
            ),
            lastSuccessAt: Option.getOrNull(HashMap.get(now.successes, pair(attempt.account, attempt.network))),
          });
          if (verdict._tag !== "Ask" && verdict._tag !== "Refuse") return [verdict, now];
          const outcome = verdict._tag === "Ask" ? "pending" : "refused";
          return [verdict, { ...now, attempts: HashMap.set(now.attempts, attempt.id, { ...attempt, outcome }) }];
        }),
      recordRefusal: (id, why) =>
        state.modify((now) => {
          const after = { outcome: "refused" as const, ...(why === "unclear" && { passwordMark: "" }) };
          return [undefined, { ...now, attempts: HashMap.modify(now.attempts, id, (one) => ({ ...one, ...after })) }];
        }),
      withdraw: (id) => state.modify((now) => [undefined, { ...now, attempts: HashMap.remove(now.attempts, id) }]),
      recordAcceptance: ({ id, account, network }, at) =>
        state.modify(({ attempts, successes }) => [
          undefined,
          {
            attempts: HashMap.remove(attempts, id),
            successes: HashMap.set(successes, pair(account, network), at),
          },
        ]),
      erase: (account) =>
        state.modify(({ attempts, successes }) => [
          undefined,
          {
            attempts: HashMap.filter(attempts, (one) => one.account !== account),
            successes: HashMap.filter(successes, (_, key) => !key.startsWith(pair(account, ""))),
          },
        ]),
      removeOld: (attemptsBefore, successesBefore) =>
        state.modify(({ attempts, successes }) => [
          undefined,
          {
            attempts: HashMap.filter(attempts, ({ at }) => at >= attemptsBefore),
            successes: HashMap.filter(successes, (at) => at >= successesBefore),
          },
        ]),
    });
  }),
);
