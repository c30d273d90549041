import { AccountProtocolLog } from "@postern/core/accounts";
import { AccountRemoval } from "@postern/core/lifecycle";
import { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import { PASSWORD } from "../../../Visit.ts";
import { HOUR, MINUTE } from "../durations.ts";
import type { Manager } from "./manager.ts";

/** A protocol log ends when it was told, a repeat moves the end, and it is deleted a day later, or with its account. */
export const keepLogs = ({ visit, cluster, create }: Manager): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const email = "logged@sim.test";
    cluster.mail.addAccount(email, PASSWORD);
    yield* create(email);
    const log = <A, E extends { readonly _tag: string }>(
      use: (one: AccountProtocolLog["Service"]) => Effect.Effect<A, E>,
    ) => visit.tagOf("log", (services) => use(Context.get(services, AccountProtocolLog)));
    const read = log((one) => one.text(email));
    const begin = (minutes: number) =>
      Effect.gen(function* () {
        const end = yield* visit.ask("record", (services) =>
          Context.get(services, AccountProtocolLog).start(email, minutes),
        );
        visit.expect(
          Math.abs(end - visit.now - minutes * MINUTE) < 2_000,
          `a log of ${minutes} minutes ends at ${end}`,
        );
      });
    visit.same(
      [yield* read, yield* log((one) => one.end(email))],
      ["ProtocolLogNotFound", "ProtocolLogNotFound"],
      "no log",
    );
    yield* begin(10);
    yield* visit.skip(5 * MINUTE);
    yield* begin(60);
    yield* visit.skip(23 * HOUR + 30 * MINUTE);
    visit.same(yield* read, "Answered", "a log less than a day after its end");
    yield* visit.skip(3 * HOUR);
    visit.same(yield* read, "ProtocolLogNotFound", "a log more than a day after its end");
    yield* begin(1);
    const ended = [yield* log((one) => one.end(email)), yield* read, yield* log((one) => one.end(email))];
    visit.same(ended, ["Answered", "ProtocolLogNotFound", "ProtocolLogNotFound"], "a log that was deleted");
    yield* begin(60);
    yield* visit.ask("remove", (services) => Context.get(services, AccountRemoval).remove(AccountId(email)));
    visit.same(yield* read, "AccountNotFound", "the log of a removed account");
    yield* create(email);
    visit.same(yield* read, "ProtocolLogNotFound", "the log of an account that was added again");
  });
