import { Consents, ConnectLinks } from "@postern/core/oauth";
import { DeviceConnections } from "@postern/core/lifecycle";
import { Context, Effect, Redacted } from "effect";
import { keysOf } from "../send/mail-of-keys.ts";
import { type Deadline, type Deadlines, MINUTE } from "./Deadline.ts";

const REDIRECT = { redirectUrl: "https://visit.sim.test/done" };

/**
 * A link works for 10 minutes and only as long as its key, a consent for 10 minutes, once, and in its browser; this
 * applies to the consent on another device too. [S11.3-1] [S11.3-13]
 */
export const linkDeadlines: Deadlines = (visit, cluster) =>
  Effect.gen(function* () {
    const { ask, make } = keysOf(visit);
    const [key, deleted] = [yield* make("linking"), yield* make("linking")];
    const expiring = yield* ask((keys) =>
      keys.make({ ...EXPIRING, expiresAt: visit.now + 5 * MINUTE, application: "linking", name: "expiring" }),
    );
    const link = (of: { readonly id: string }) =>
      Effect.map(
        visit.ask("make a link", (services) =>
          Context.get(services, ConnectLinks).make(REDIRECT, { reach: null, key: of.id }),
        ),
        (url) => url.split("/").at(-1)!,
      );
    const [kept, closed, ofDeleted, ofExpired] = [
      yield* link(key),
      yield* link(key),
      yield* link(deleted),
      yield* link(expiring.key),
    ];
    const expectLink = (secret: string, works: boolean, what: string) =>
      Effect.map(
        visit.tagOf("open a link", (services) => Context.get(services, ConnectLinks).find(secret)),
        (tag) => visit.same(tag, works ? "Answered" : "LinkExpired", `opening a link ${what}`),
      );
    const { app } = cluster.providers.all[0]!;
    const browser = Redacted.make("the visitor's browser");
    const consents = <A, E>(use: (all: Consents["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("consent", (services) => use(Context.get(services, Consents)));
    const begin = consents((all) =>
      all.begin({ app: app.id, address: null, link: null, browser, network: "192.0.2.50" }),
    );
    const [early, late] = [yield* begin, yield* begin];
    const expectConsent = (state: string, works: boolean, what: string, by = browser) =>
      Effect.map(
        visit.tagOf("return", (services) => Context.get(services, Consents).take(state, by)),
        (tag) => visit.same(tag, works ? "Answered" : "ConsentExpired", `the return from a consent ${what}`),
      );
    const device = visit.ask("begin on a device", (services) =>
      Context.get(services, DeviceConnections).start({ provider: app.id }, { reach: null, key: deleted.id }),
    );
    const { id, interval } = yield* device;
    const expectDevice = (promised: string, when: string) =>
      Effect.map(
        visit.ask("poll", (services) => Context.get(services, DeviceConnections).poll(id, null)),
        ({ state }) => visit.same(state, promised, `a consent on another device ${when}`),
      );
    return [
      [0, expectLink(ofDeleted, true, "of a key")],
      [0, visit.ask("close", (services) => Context.get(services, ConnectLinks).close(closed))],
      [0, expectLink(closed, false, "that connected an account")],
      [interval * 1_000, expectDevice("pending", "that is not decided")],
      [MINUTE, expectLink(ofExpired, true, "before its key expires")],
      [MINUTE, ask((keys) => keys.remove(deleted.id))],
      [MINUTE, expectLink(ofDeleted, false, "of a deleted key")],
      [2 * MINUTE, expectDevice("expired", "whose key was deleted")],
      [6 * MINUTE, expectLink(ofExpired, false, "of an expired key")],
      [9 * MINUTE, expectLink(kept, true, "within 10 minutes")],
      [9 * MINUTE, expectConsent(early.state, false, "in another browser", Redacted.make("another browser"))],
      [9 * MINUTE, expectConsent(early.state, true, "within 10 minutes")],
      [9 * MINUTE, expectConsent(early.state, false, "for the second time")],
      [11 * MINUTE, expectLink(kept, false, "after 10 minutes")],
      [11 * MINUTE, expectConsent(late.state, false, "after 10 minutes")],
    ] satisfies ReadonlyArray<Deadline>;
  });

const EXPIRING = { scopes: ["mail:send"], accounts: null, networks: null, notify: null, sendPerDay: null } as const;
