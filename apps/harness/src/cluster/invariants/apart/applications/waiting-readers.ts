import { KeyAuthentication } from "@postern/core/auth";
import { AccountCreation, LiveEvents } from "@postern/core/lifecycle";
import { Context, Effect, Fiber, Option, Redacted, Schema } from "effect";
import { PASSWORD } from "../../../Visit.ts";
import { SECOND } from "../durations.ts";
import type { Operator } from "./operator.ts";

class ReaderGone extends Schema.TaggedError<ReaderGone>()("ReaderGone", {}) {}

/** A request that waits for events has the rights that its key has at the time of the event. */
export const readWithKey = ({ visit, cluster, keys, make }: Operator): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const changes = {
      stays: () => Effect.void,
      "has ended": (id: string) => keys((all) => all.remove(id)),
      "has expired": (id: string) => keys((all) => all.change(id, { expiresAt: visit.now + SECOND })),
      "lost its scope": (id: string) => keys((all) => all.change(id, { scopes: ["mail:read"] })),
      "lost the account": (id: string) => keys((all) => all.change(id, { accounts: ["tag:other"] })),
    };
    for (const [n, [what, change]] of Object.entries(changes).entries()) {
      const tag = `read-${n}`;
      const { key } = yield* make("readers", { scopes: ["events"], accounts: [`tag:${tag}`] });
      const read = (wait: number, after?: string) =>
        visit.ask("read the feed", (services) => {
          const client = { network: "", isWithin: () => true };
          const reader = Effect.flatMap(
            Context.get(services, KeyAuthentication).recheck(key.id, "events", client),
            Option.match({
              onNone: () => Effect.fail(new ReaderGone()),
              onSome: ({ accounts, application }) => Effect.succeed({ reach: accounts, application }),
            }),
          );
          return Context.get(services, LiveEvents).readFeed({ wait, ...(after && { after }) }, reader);
        });
      const { next } = yield* read(0);
      const waiting = yield* Effect.forkChild(Effect.result(read(15, next)));
      yield* visit.wait(SECOND);
      yield* change(key.id);
      yield* visit.wait(3 * SECOND);
      const email = `${tag}@sim.test`;
      cluster.mail.addAccount(email, PASSWORD);
      const secret = { _tag: "Password" as const, password: Redacted.make(PASSWORD) };
      yield* visit.ask("manage", (services) =>
        Context.get(services, AccountCreation).create(
          { email, name: null, secret, tags: [tag], imap: null, smtp: null },
          null,
        ),
      );
      const answer = yield* Fiber.join(waiting);
      const types = answer._tag === "Success" ? answer.success.events.map(({ type }) => type) : [];
      visit.same(types, what === "stays" ? ["account.added"] : [], `the events of a reader whose key ${what}`);
    }
  });
