import { AccountConnection } from "@postern/core/lifecycle";
import { Context, Effect, Redacted } from "effect";
import { PASSWORD } from "../../../Visit.ts";
import { DAY, MINUTE, SECOND } from "../durations.ts";
import { type Guesser, HOME } from "./guesser.ts";

/** The time for which a node waits before each question to the mail server, in milliseconds. */
const SLOW = 300;
const OFFICE = "192.0.2.60";

/** Attempts at the same time ask the mail server about no more passwords than attempts one after another. */
export const failAtOnce = ({ visit, cluster, enters }: Guesser): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("crowded");
    let asked = 0;
    cluster.listeners.push(({ node, port, args }) => {
      if (port !== "MailLogin" || args[0] !== account) return;
      asked++;
      cluster.pause(node, SLOW);
    });
    yield* Effect.forEach(Array.from({ length: 9 }), (_, n) => enters(account, HOME, `guess ${n}`), { concurrency: 9 });
    visit.same(asked, 5, "the number of nine wrong passwords that the mail server was asked about");
  });

/** Ten failures lock an account for unknown networks only. A network is known for 30 days after its last success. */
export const failByStrangers = ({ visit, enters, fail }: Guesser): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("besieged");
    let network = 0;
    const besiege = Effect.gen(function* () {
      for (const count of [4, 4, 2]) yield* fail(account, `198.51.100.${++network}`, count);
    });
    visit.same(yield* enters(account, HOME), "Answered", "the owner's sign-in");
    yield* besiege;
    visit.same(
      yield* enters(account, "198.51.100.250"),
      "TooManyLoginFailures",
      "an unknown network after ten failures",
    );
    yield* fail(account, HOME, 4);
    visit.same(yield* enters(account, HOME), "Answered", "the owner's network after ten failures of strangers");
    yield* fail(account, HOME, 1);
    visit.same(yield* enters(account, HOME), "TooManyLoginFailures", "the owner's network after five own failures");
    yield* visit.skip(16 * MINUTE);
    visit.same(yield* enters(account, "198.51.100.251"), "Answered", "an unknown network 16 minutes later");
    yield* visit.skip(29 * DAY);
    yield* besiege;
    visit.same(yield* enters(account, HOME), "Answered", "the owner's network 29 days after the last success");
    yield* visit.skip(31 * DAY);
    yield* besiege;
    visit.same(yield* enters(account, HOME), "TooManyLoginFailures", "a network 31 days after its last success");
  });

/** Fifty failures in a day lock a network, for accounts that it knows too. */
export const failFromNetwork = ({ visit, enters, fail }: Guesser): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("neighbour");
    visit.same(yield* enters(account, OFFICE), "Answered", "a sign-in from a network");
    for (let n = 0; n < 12; n++) yield* fail(`tried-${n}@sim.test`, OFFICE, 4);
    yield* visit.skip(60 * MINUTE);
    yield* fail("tried-last@sim.test", OFFICE, 1);
    visit.same(yield* enters(account, OFFICE), "Answered", "a sign-in from a network with 49 failures");
    yield* fail("tried-last@sim.test", OFFICE, 1);
    visit.same(yield* enters(account, OFFICE), "TooManyLoginFailures", "a sign-in from a network with 50 failures");
    visit.same(yield* enters(account, "192.0.2.53"), "Answered", "a sign-in from another network");
    yield* visit.skip(DAY - 60 * MINUTE - 30 * SECOND);
    visit.same(
      yield* enters(account, OFFICE),
      "TooManyLoginFailures",
      "a network whose first failure is not yet a day old",
    );
    yield* visit.skip(2 * MINUTE);
    visit.same(yield* enters(account, OFFICE), "Answered", "a sign-in from a network whose failures are a day old");
  });

/** Wrong passwords on the page of a link count like those of a sign-in. */
export const failToConnect = ({ visit, enters }: Guesser): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("connecting");
    const request = { address: account, app: null, tags: null, reach: null };
    const connect = (password: string) =>
      visit.tagOf("connect", (services) =>
        Context.get(services, AccountConnection).byPassword(
          request,
          account,
          Redacted.make(password),
          HOME,
          Effect.void,
        ),
      );
    for (let n = 0; n < 5; n++) visit.same(yield* connect(`wrong ${n}`), "LoginRefused", "a wrong password on a page");
    visit.same(yield* connect(PASSWORD), "TooManyLoginFailures", "a page after five failures");
    visit.same(yield* enters(account, HOME), "TooManyLoginFailures", "a sign-in after five failures on a page");
  });
