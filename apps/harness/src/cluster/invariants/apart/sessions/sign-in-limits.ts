import { Effect } from "effect";
import type { Invariant } from "../../../Invariant.ts";
import { PASSWORD } from "../../../Visit.ts";
import { MINUTE, SECOND } from "../durations.ts";
import { failAtOnce, failByStrangers, failFromNetwork, failToConnect } from "./failed-sign-ins.ts";
import { type Guesser, guesserOf, HOME } from "./guesser.ts";

/**
 * Failed sign-ins are limited for an account from a network, for an account and for a network, over all nodes, no
 * longer than promised. Strangers cannot lock out a user whose network is known. A wrong password is not asked about
 * again for 15 minutes. [S3.6-1] [S3.6-2] [S3.6-3] [S3.6-4]
 */
export const signInLimits: Invariant = {
  name: "sign-in-limits",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const client = guesserOf(visit, cluster);
        yield* failOften(client);
        yield* repeatWrong(client);
        yield* visit.pickInTurn([failAtOnce, failByStrangers, failFromNetwork, failToConnect])(client);
      }),
  }),
};

/** The sixth attempt from a network waits until 15 minutes after the first failure, even if a right password was between. */
const failOften = ({ visit, attempt, enters, fail }: Guesser) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("failing");
    const begun = visit.now;
    yield* fail(account, HOME, 4);
    visit.same(yield* enters(account, HOME), "Answered", "a right password after four wrong ones");
    yield* visit.skip(5 * MINUTE);
    yield* fail(account, HOME, 1);
    const [tag, retryAfter] = yield* attempt(account, PASSWORD, HOME);
    visit.same(tag, "TooManyLoginFailures", "an attempt after five failures");
    const until = begun + 15 * MINUTE;
    visit.expect(
      Math.abs(visit.now + retryAfter - until) < 2 * SECOND,
      `failures count until ${retryAfter} ms from now`,
    );
    visit.same(yield* enters(account, "192.0.2.51"), "Answered", "an attempt from another network");
    yield* visit.skip(retryAfter - 5 * SECOND);
    visit.same(yield* enters(account, HOME), "TooManyLoginFailures", "an attempt before the promised time");
    yield* visit.skip(7 * SECOND);
    visit.same(yield* enters(account, HOME), "Answered", "an attempt after the promised time");
  });

/** A wrong password stays wrong for 15 minutes, for this account, even if the mail server would accept it by now. */
const repeatWrong = ({ visit, cluster, enters }: Guesser) =>
  Effect.gen(function* () {
    const [account, other] = [yield* visit.signUp("wrong"), yield* visit.signUp("right")];
    visit.same(yield* enters(account, HOME, "another"), "LoginRefused", "a wrong password");
    for (const one of [account, other]) cluster.mail.addAccount(one, "another");
    visit.same(yield* enters(other, HOME, "another"), "Answered", "the same password for another account");
    visit.same(yield* enters(account, "192.0.2.52", "another"), "LoginRefused", "a password that was just wrong");
    yield* visit.skip(16 * MINUTE);
    visit.same(yield* enters(account, HOME, "another"), "Answered", "a password that was wrong 16 minutes ago");
  });
