import { type Account, Accounts } from "@postern/core/accounts";
import { AccountCreation, AccountRemoval, SignIn } from "@postern/core/lifecycle";
import { Consents, MailCredentials, type OAuthAppInput } from "@postern/core/oauth";
import { AccountId } from "@postern/core/shared";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { eventsOf } from "../../../../events-of.ts";
import type { Visit } from "../../../../Visit.ts";
import { MINUTE, SECOND } from "../../durations.ts";
import { serversAt } from "../accounts/walked-account.ts";
import type { Act } from "../walk.ts";
import { tagOf, type WalkedApps } from "./walked-apps.ts";

/** A time longer than an access token lasts, and than the wait after the refusal of an app. */
const ENDED = 3 * MINUTE;
const CLIENT = { network: "192.0.2.60", userAgent: "a browser" };
type Place = "own" | "new" | "sim";

interface Granted {
  readonly email: string;
  isManaged: boolean;
  kind: "oauth2" | "application";
  app: string;
  place: Place;
  /** The issuer of the refresh token; null for an app with its own credentials. */
  issuer: string | null;
  /** Whether the user of the consent is known. */
  isPinned: boolean;
}

/** Accounts that keys and people connect by an app. */
export const grantActs = (visit: Visit, cluster: Cluster, { known, providerOf }: WalkedApps): ReadonlyArray<Act> => {
  const { random } = cluster;
  const all = new Map<string, Granted>();
  const emails = ["granted-1@own.test", "granted-2@own.test", "granted-3@sim.test"];
  for (const email of [...emails, "stranger@own.test"])
    for (const host of ["imap.own.test", "imap.new.test"])
      cluster.mail.at(host).addAccount(email, "no program knows it");
  const mayOpen = ({ mode, domains }: OAuthAppInput, email: string) =>
    domains === undefined ? mode !== "application" : domains.includes(email.split("@")[1]!);
  /** The place to which tokens of an app go, if the request or the account allows it. */
  const placeOf = (app: OAuthAppInput, email: string, only: Place | null): Place | null => {
    const before = all.get(email);
    if (email.endsWith("@sim.test")) return "sim";
    const places: Array<Place> = before?.app === app.id ? [before.place] : [];
    if (app.imap !== undefined) places.push("new");
    else if (app.mode !== "application") places.push("own");
    return places.find((place) => only === null || place === only) ?? null;
  };
  /** The apps at simulated providers, and one that does not exist. */
  const usable = () => [...known.values()].filter(({ provider }) => provider === "oidc");

  /** The events that are promised and not compared yet, of all accounts. */
  const promised: Array<string> = [];
  const compared = new Set<string>();
  const compare = (email: string) =>
    Effect.gen(function* () {
      const told = eventsOf(cluster, AccountId(email)).filter(
        ({ id, type }) => type.startsWith("account.") && !compared.has(id),
      );
      for (const { id } of told) compared.add(id);
      visit.same(
        told.map(({ type }) => type),
        promised.splice(0),
        `the events about ${email}`,
      );
      const one = all.get(email);
      const found = yield* Effect.result(
        visit.ask("find", (services) => Context.get(services, Accounts).find(email, null)),
      );
      const shown = ({ managed, authKind, provider, servers }: Account) => [
        managed,
        authKind,
        provider,
        servers?.imap.host ?? null,
      ];
      visit.same(
        found._tag === "Success" ? shown(found.success) : found.failure._tag,
        one === undefined
          ? "AccountNotFound"
          : [one.isManaged, one.kind, one.app, one.place === "sim" ? null : `imap.${one.place}.test`],
        `the account ${email}, which an app opens`,
      );
    });
  /** A key gives a grant. [S11.2-1] */
  const create = Effect.gen(function* () {
    // An account of a person may become managed, and move.
    const people = [...all.values()].flatMap((one) => (one.isManaged ? [] : [one.email]));
    const email = random.pick(random.chance(0.5) && people.length > 0 ? people : emails)!;
    const app = random.pick([...usable(), null]);
    const tokens = app == null ? undefined : providerOf(app)?.tokens;
    const kind = random.pick(
      app?.mode === "application"
        ? (["none", "none", "none", "own"] as const)
        : (["own", "own", "stranger", "invented", "none"] as const),
    );
    const user = kind === "stranger" ? "stranger@own.test" : email;
    const token =
      kind === "none" ? undefined : kind === "invented" ? "invented" : (tokens?.refreshToken(user) ?? "unused");
    const only = random.pick([null, null, "own", "new"] as const);
    const before = all.get(email);
    const place = app == null ? null : placeOf(app, email, only);
    const promise = () => {
      if (before?.isManaged === true) return "AccountExists";
      if (app == null) return "AppNotFound";
      if (!mayOpen(app, email) || (app.mode === "application") !== (token === undefined)) return "GrantInvalid";
      if (kind === "invented") return "GrantRefused";
      if (only !== null && email.endsWith("@sim.test")) return "ServersFixed";
      if (place === null) return "GrantInvalid";
      return kind === "stranger" ? "AccountUnverified" : "Answered";
    };
    const answer = promise();
    const tag = yield* visit.tagOf(`create ${email}`, (services) =>
      Context.get(services, AccountCreation).create(
        {
          email,
          name: null,
          secret: {
            _tag: "Named",
            grant: {
              app: app?.id ?? "missing",
              refreshToken: token === undefined ? undefined : Redacted.make(token),
            },
          },
          tags: [],
          ...(only === null ? { imap: null, smtp: null } : serversAt(only)),
        },
        null,
      ),
    );
    visit.same(tag, answer, `the creation of ${email} with the ${kind} token of ${JSON.stringify(app)}`);
    if (tag === "Answered") {
      if (before !== undefined && before.place !== place) promised.push("account.servers_changed");
      promised.push("account.added");
      all.set(email, {
        email,
        isManaged: true,
        kind: app!.mode === "application" ? "application" : "oauth2",
        app: app!.id,
        place: place!,
        issuer: app!.mode === "application" ? null : app!.issuer!,
        isPinned: false,
      });
    }
    yield* compare(email);
  });
  const remove = Effect.gen(function* () {
    const email = random.pick([...all.keys()])!;
    yield* visit.ask("remove", (services) => Context.get(services, AccountRemoval).remove(AccountId(email)));
    all.delete(email);
    yield* compare(email);
  });
  /** A person consents in a browser, and signs in. [S11.3-19] [S11.3-20] */
  const signIn = Effect.gen(function* () {
    const [email, app] = [random.pick(emails)!, random.pick(usable().filter(({ mode }) => mode !== "application"))];
    if (app === undefined) return;
    const user = random.chance(0.8) ? email : "stranger@own.test";
    const browser = Redacted.make(`browser of ${email}`);
    const offered = yield* visit.ask("consent", (services) =>
      Effect.gen(function* () {
        const consents = Context.get(services, Consents);
        const { url, state } = yield* consents.begin({
          app: app.id,
          address: email,
          link: null,
          browser,
          network: CLIENT.network,
        });
        const callback = Redacted.make(providerOf(app)!.tokens.consent(url, user));
        return yield* consents.finish(yield* consents.take(state, browser), state, callback);
      }),
    );
    const before = all.get(email);
    const place = placeOf(app, email, before?.place ?? null);
    const isOther = before?.isPinned === true && (user !== email || before.issuer !== app.issuer);
    const promise = !mayOpen(app, email)
      ? "GrantInvalid"
      : isOther
        ? "OtherIdentity"
        : place === null || user !== email
          ? "LoginRefused"
          : "Answered";
    const answer = yield* Effect.result(
      visit.ask("sign in", (services) => Context.get(services, SignIn).withGrant(email, offered, CLIENT)),
    );
    visit.same(tagOf(answer), promise, `the sign-in of ${user} as ${email} by ${JSON.stringify(app)}`);
    if (answer._tag === "Success")
      all.set(email, {
        email,
        isManaged: before?.isManaged ?? false,
        kind: "oauth2",
        app: app.id,
        place: place!,
        issuer: app.issuer!,
        isPinned: true,
      });
    yield* compare(email);
  });
  /** A password opens no account with a grant, and reaches no server. [S11.3-25] */
  const signInByPassword = Effect.gen(function* () {
    const { email } = random.pick([...all.values()])!;
    let isSent = false;
    for (const host of ["imap.own.test", "imap.new.test"])
      cluster.mail.at(host).onSignIn = ({ _tag, username }) => (isSent ||= _tag === "Password" && username === email);
    const tag = yield* visit.tagOf("sign in", (services) =>
      Context.get(services, SignIn).withPassword(email, Redacted.make("no program knows it"), CLIENT),
    );
    for (const host of ["imap.own.test", "imap.new.test"]) cluster.mail.at(host).onSignIn = () => {};
    visit.expect(tag === "LoginRefused" || tag === "TooManyLoginFailures", `a password for a grant is ${tag}`);
    visit.expect(!isSent, "a password for an account with a grant is sent to a server");
  });
  /** A token of a grant lasts as long as its app is at the issuer of the refresh token. [S11.1-4] [S11.1-12] */
  const useGrant = Effect.gen(function* () {
    const { email, app: id, issuer } = random.pick([...all.values()])!;
    yield* visit.skip(ENDED);
    yield* visit.wait(SECOND);
    const app = known.get(id);
    const isServed =
      app !== undefined && (issuer === null ? app.domains === undefined || mayOpen(app, email) : app.issuer === issuer);
    const tag = yield* visit.tagOf("token", (services) => Context.get(services, MailCredentials).of(AccountId(email)));
    visit.same(tag, isServed ? "Answered" : "MailServerError", `a token of ${email} by ${JSON.stringify(app)}`);
  });
  const hasOne = () => all.size > 0;
  return [
    { name: "create by a grant", weight: 8, run: create },
    { name: "sign in by a consent", weight: 6, isPossible: () => usable().length > 0, run: signIn },
    { name: "remove an account", weight: 2, isPossible: () => all.size > 1, run: remove },
    { name: "sign in by a password", isPossible: hasOne, run: signInByPassword },
    { name: "use a grant", weight: 4, isPossible: hasOne, run: useGrant },
  ];
};
