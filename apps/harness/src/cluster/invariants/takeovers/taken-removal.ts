import { AccountErasures } from "@postern/core/auth";
import { AccountRemoval } from "@postern/core/lifecycle";
import { FollowedMailboxes } from "@postern/core/watch";
import { Context, Effect, Option } from "effect";
import { begin, insist } from "./insist.ts";
import type { Takeover } from "./Takeover.ts";

const REQUEST_MILLIS = 5_000;

/**
 * A sign-in to an account whose removal was interrupted erases the rest before it answers, and keeps its own data.
 * [S10.3-31]
 */
export const removalBegun: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("leaving-again");
    stop.arm(({ port, method, args }) => port === "AccountErasures" && method === "begin" && args[0] === account);
    yield* begin(visit.ask("remove", (services) => Context.get(services, AccountRemoval).remove(account)));
    yield* visit.within(REQUEST_MILLIS, "no removal begins", () => stop.isHit);
    yield* insist(visit, visit.signIn(account));
    const [isUnderWay, baseline] = cluster.ask((ports) =>
      Effect.all([
        Context.get(ports, AccountErasures).isUnderWay(account),
        Context.get(ports, FollowedMailboxes).find(account, "inbox"),
      ]),
    );
    visit.expect(!isUnderWay, "a sign-in is answered while the account is erased");
    visit.expect(Option.isSome(baseline), "what a sign-in stored is erased with what was there before");
  });
