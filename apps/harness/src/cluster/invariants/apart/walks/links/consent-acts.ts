import { AccountConnection } from "@postern/core/lifecycle";
import { ConnectLinks, Consents } from "@postern/core/oauth";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { SimulatedProvider } from "../../../../servers/OAuthProviders.ts";
import type { Visit } from "../../../../Visit.ts";
import { MINUTE, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { LIFETIME, type WalkedLinks } from "./walked-links.ts";

/** How many consents of one network may be in progress. */
const MAX_FROM_NETWORK = 50;

/** Changes of a callback, each with the error that it gets; a rejected one does not reach the provider. */
const CALLBACKS: Readonly<Record<string, readonly [change: (callback: URL) => void, tag: string]>> = {
  right: [() => {}, "Answered"],
  "with another parameter": [(callback) => callback.searchParams.set("scope", "mail"), "Answered"],
  "of another state": [(callback) => callback.searchParams.set("state", "another"), "CallbackRejected"],
  "with two states": [(callback) => callback.searchParams.append("state", "another"), "CallbackRejected"],
  "of another issuer": [(callback) => callback.searchParams.set("iss", "https://far.test"), "CallbackRejected"],
  "without an issuer": [(callback) => callback.searchParams.delete("iss"), "CallbackRejected"],
  "without a code": [(callback) => callback.searchParams.delete("code"), "CallbackRejected"],
  "with two codes": [(callback) => callback.searchParams.append("code", "another"), "CallbackRejected"],
  "with another code": [(callback) => callback.searchParams.set("code", "another"), "GrantRefused"],
};

/** People who consent by a link, in one browser and once, with any fault of the callback. [S11.3-6] [S11.3-8] [S11.3-13] [S11.3-14] [S11.3-15] [S11.3-16] */
export const consentActs = (
  visit: Visit,
  cluster: Cluster,
  walked: WalkedLinks,
  { app, tokens }: SimulatedProvider,
  users: ReadonlyArray<string>,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { all, links, works, mayConnect, connected } = walked;
  let count = 0;
  let exchanges = 0;
  const exchange = tokens.exchange.bind(tokens);
  tokens.exchange = (...request) => (exchanges++, exchange(...request));
  const consents = <A, E>(use: (all: Consents["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("consents", (services) => use(Context.get(services, Consents)));
  const begin = (network: string, browser: Redacted.Redacted, address: string | null, link: string | null) =>
    consents((one) =>
      one.begin({ app: app.id, address, link: link === null ? null : Redacted.make(link), browser, network }),
    );
  const take = (state: string, browser: Redacted.Redacted) =>
    Effect.result(consents((one) => one.take(state, browser)));
  /** Passes the end of what began just now; what has expired may not be deleted yet. */
  const expire = Effect.andThen(visit.skip(LIFETIME - 10 * SECOND), visit.wait(15 * SECOND));
  const isUsable = () => all.filter((one) => works(one) && one.expiresAt - visit.now > MINUTE);

  const consent = Effect.gen(function* () {
    const usable = isUsable();
    const limited = usable.filter((one) => one.key !== null && one.key.reach !== null);
    const link = random.pick(limited.length > 0 && random.chance(0.5) ? limited : usable)!;
    const { written, key } = link;
    const browser = Redacted.make(`browser ${++count}`);
    const address = written.email ?? null;
    const { url, state } = yield* begin("192.0.2.60", browser, address, link.secret);
    const user = random.chance(0.8) && address !== null ? address : random.pick(users)!;
    const isDenied = random.chance(0.15);
    const kind = random.chance(0.5) ? "right" : random.pick(Object.keys(CALLBACKS))!;
    const callback = new URL(tokens.consent(url, isDenied ? null : user));
    const [change, tag] = CALLBACKS[kind]!;
    change(callback);
    const isLate = random.chance(0.1);
    yield* isLate ? expire : visit.wait(random.between(0, 20 * SECOND));
    const other = yield* take(state, Redacted.make("another browser"));
    visit.same(other._tag, "Failure", "a return from a consent in another browser");
    const both = yield* Effect.all([take(state, browser), take(state, browser)], { concurrency: 2 });
    const taken = both.flatMap((one) => (one._tag === "Success" ? [one.success] : []));
    visit.same(taken.length, isLate ? 0 : 1, "the returns from a consent that count");
    visit.same((yield* take(state, browser))._tag, "Failure", "a later return from a consent");
    const [begun] = taken;
    if (begun === undefined) return;
    visit.same(
      [begun.link === null ? null : Redacted.value(begun.link), begun.address],
      [link.secret, address],
      "the link and the address of a consent",
    );
    const before = exchanges;
    const offered = yield* Effect.result(consents((one) => one.finish(begun, state, Redacted.make(callback.href))));
    const isFaulty = tag === "CallbackRejected" && !(isDenied && kind.includes("code"));
    const promise = isDenied && !isFaulty ? "ConsentDenied" : tag;
    const answer = offered._tag === "Success" ? "Answered" : offered.failure._tag;
    visit.same(answer, promise, `a callback ${kind}${isDenied ? ", denied" : ""}`);
    visit.same(
      exchanges - before,
      ["Answered", "GrantRefused"].includes(promise) ? 1 : 0,
      "the requests to a provider",
    );
    const opens = yield* Effect.result(links((one) => one.find(link.secret)));
    if (offered._tag === "Failure" || opens._tag === "Failure") return;
    const email = address ?? offered.success.issued?.identity?.address ?? "";
    const tagOf = yield* visit.tagOf("connect", (services) =>
      Context.get(services, AccountConnection).byGrant(
        opens.success.request,
        email,
        offered.success,
        Context.get(services, ConnectLinks).close(link.secret),
      ),
    );
    const isAllowed = email === user && mayConnect(key?.reach ?? null, email, written.tags);
    visit.expect(
      (tagOf === "Answered") === isAllowed,
      `the consent of ${user} for ${email} by a link, tagged ${written.tags?.join()}, is ${tagOf}`,
    );
    if (tagOf === "Answered") yield* connected(link, email);
  });

  const crowd = Effect.gen(function* () {
    const network = `198.51.100.${++count}`;
    const browser = Redacted.make("a browser of a crowd");
    const start = () => Effect.result(begin(network, browser, null, null));
    const tags = (answers: ReadonlyArray<Effect.Success<ReturnType<typeof start>>>) =>
      [...new Set(answers.map((one) => (one._tag === "Success" ? "Answered" : one.failure._tag)))].join();
    const begun = yield* Effect.all(Array.from({ length: MAX_FROM_NETWORK }, start));
    visit.same(tags(begun), "Answered", "the consents of one network");
    visit.same(tags([yield* start()]), "TooManyConsents", "one consent more of one network");
    visit.same((yield* Effect.result(begin("192.0.2.61", browser, null, null)))._tag, "Success", "of another network");
    if (random.chance(0.5)) {
      const [first] = begun.flatMap((one) => (one._tag === "Success" ? [one.success] : []));
      yield* take(first!.state, browser);
      visit.same(tags([yield* start()]), "Answered", "a consent once another one has ended");
      visit.same(tags([yield* start()]), "TooManyConsents", "one consent more of one network");
    }
    yield* expire;
    visit.same(tags([yield* start()]), "Answered", "a consent of a network whose consents have expired");
  });
  return [
    { name: "consent by a link", weight: 12, isPossible: () => isUsable().length > 0, run: consent },
    { name: "a crowd consents", run: crowd },
  ];
};
