import { Consents } from "@postern/core/oauth";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { MINUTE } from "../../durations.ts";
import type { Act } from "../walk.ts";

/** How many consents of one network may be in progress, and how long each is. */
const MOST = 50;
const LASTS = 10 * MINUTE;
const NEAR = MINUTE;

interface Begun {
  readonly state: string;
  readonly browser: Redacted.Redacted;
  readonly endsAt: number;
}

/**
 * Browsers of one network begin as many consents as they may; one that returns, or ends after 10 minutes, makes room for
 * another. Other networks are not limited by it. [S11.3-13] [S11.3-16]
 */
export const crowdedNetwork = (visit: Visit, cluster: Cluster, app: string): Act => {
  const { random } = cluster;
  let networks = 0;
  let browsers = 0;
  const begin = (network: string) =>
    Effect.gen(function* () {
      const browser = Redacted.make(`browser ${++browsers} of a crowd`);
      const begun = yield* Effect.result(
        visit.ask("begin a consent", (services) =>
          Context.get(services, Consents).begin({ app, address: "crowd@sim.test", link: null, browser, network }),
        ),
      );
      return begun._tag === "Failure"
        ? begun.failure._tag
        : { state: begun.success.state, browser, endsAt: visit.now + LASTS };
    });
  const take = ({ state, browser }: Begun) =>
    visit.tagOf("return", (services) => Context.get(services, Consents).take(state, browser));
  const crowd = Effect.gen(function* () {
    const network = `198.51.100.${++networks}`;
    const open: Array<Begun> = [];
    const add = (promise: "begun" | "TooManyConsents", what: string) =>
      Effect.map(begin(network), (is) => {
        visit.same(typeof is === "string" ? is : "begun", promise, `${what}, with ${open.length} in progress`);
        if (typeof is !== "string") open.push(is);
      });
    const early = random.between(1, 20);
    while (open.length < early && cluster.violations.length === 0) yield* add("begun", "a consent");
    yield* visit.skip(random.between(2, 7) * MINUTE);
    while (open.length < MOST && cluster.violations.length === 0) yield* add("begun", "a consent");
    yield* add("TooManyConsents", "a consent too many");
    visit.expect(typeof (yield* begin("203.0.113.1")) !== "string", "a network is limited by another one");
    const [one] = open.splice(random.between(0, open.length), 1);
    visit.same(yield* take(one!), "Answered", "the return of a browser of a crowd");
    yield* add("begun", "a consent after one that returned");
    yield* add("TooManyConsents", "a second consent after one that returned");
    const [first] = open;
    yield* visit.skip(first!.endsAt + NEAR - visit.now);
    visit.same(yield* take(first!), "ConsentExpired", "the return of a browser after 10 minutes");
    const left = open.filter(({ endsAt }) => endsAt > visit.now);
    if (left.some(({ endsAt }) => endsAt < visit.now + NEAR)) return;
    open.splice(0, open.length, ...left);
    while (open.length < MOST && cluster.violations.length === 0) yield* add("begun", "a consent after others ended");
    yield* add("TooManyConsents", "a consent too many, after others ended");
  });
  return { name: "a network begins many consents", isPossible: () => networks === 0, run: crowd };
};
