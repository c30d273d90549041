import { AccountSessions, Authentication, KeyAuthentication, Keys, SessionTokens } from "@postern/core/auth";
import { SignIn } from "@postern/core/lifecycle";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect, Option, Redacted } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { PASSWORD } from "../../world/accounts.ts";

const OWN_ADDRESS = "192.0.2.20";

/**
 * A refused token, session or key stays refused: a refresh token has one successor, a second use of an older one ends
 * its session, five wrong passwords from one network are throttled, an outage does not count as a wrong password, and
 * an ended session or key gives no access. [S3.1-2] [S3.3-5] [S3.3-6] [S3.6-2]
 */
export const logins: Invariant = {
  name: "logins",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        yield* sessions(visit);
        yield* throttle(visit, cluster);
        yield* outage(visit, cluster);
        yield* keys(visit);
      }),
  }),
};

const clientOf = (visit: Visit) => ({
  accepts: (token: string) =>
    Effect.map(
      visit.tagOf("use a token", (services) => Context.get(services, Authentication).byAccessToken(token)),
      (tag) => tag === "Answered",
    ),
  refresh: (token: string) =>
    Effect.result(visit.ask("refresh", (services) => Context.get(services, SessionTokens).exchange(token))),
  sessions: (account: AccountId) =>
    Effect.map(
      visit.ask("sessions", (services) => Context.get(services, AccountSessions).page(account, {})),
      ({ items }) => items,
    ),
});

const sessions = (visit: Visit) =>
  Effect.gen(function* () {
    const client = clientOf(visit);
    const account = yield* visit.signUp("logins");
    const pair = yield* visit.signIn(account);
    visit.same(pair.expiresIn, 3_600, "the seconds that an access token lives");
    visit.same((yield* client.sessions(account)).length, 2, "the sessions after two sign-ins");
    const [one, other] = yield* Effect.all([client.refresh(pair.refreshToken), client.refresh(pair.refreshToken)], {
      concurrency: 2,
    });
    visit.expect(one._tag === "Success" && other._tag === "Success", "a refresh that is repeated at once is refused");
    if (one._tag !== "Success" || other._tag !== "Success") return;
    visit.same(one.success.refreshToken, other.success.refreshToken, "the successor of a refresh token");
    visit.expect(yield* client.accepts(one.success.token), "the token of a refresh is refused");
    const next = yield* client.refresh(one.success.refreshToken);
    visit.same(next._tag, "Success", "the use of a successor");
    const reused = yield* client.refresh(pair.refreshToken);
    visit.same(reused._tag === "Failure" && reused.failure._tag, "RefreshReused", "the use of a token before the last");
    if (next._tag !== "Success") return;
    for (const { token, refreshToken } of [pair, one.success, next.success]) {
      visit.expect(!(yield* client.accepts(token)), "a session goes on although its refresh token was reused");
      visit.same((yield* client.refresh(refreshToken))._tag, "Failure", "a refresh after a reuse");
    }
    const left = yield* client.sessions(account);
    visit.same(left.length, 1, "the sessions after one was ended by a reuse");
    yield* visit.ask("log out", (services) => Context.get(services, AccountSessions).end(account, left[0]!.id));
    const ended = yield* visit.tagOf("log out", (services) =>
      Context.get(services, AccountSessions).end(account, left[0]!.id),
    );
    visit.same(ended, "SessionNotFound", "a second logout");
    visit.same((yield* client.sessions(account)).length, 0, "the sessions after a logout");
  });

const attempt = (visit: Visit, account: string, password: string, network: string) =>
  visit.tagOf(`sign in ${account}`, (services) =>
    Context.get(services, SignIn).withPassword(account, Redacted.make(password), { network, userAgent: "visit" }),
  );

const throttle = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = "throttled@sim.test";
    cluster.mail.addAccount(account, PASSWORD);
    for (let n = 0; n < 5; n++) {
      visit.same(yield* attempt(visit, account, `wrong ${n}`, OWN_ADDRESS), "LoginRefused", "a wrong password");
    }
    visit.same(
      yield* attempt(visit, account, PASSWORD, OWN_ADDRESS),
      "TooManyLoginFailures",
      "a sixth attempt from a network",
    );
    visit.same(
      yield* attempt(visit, account, PASSWORD, "192.0.2.21"),
      "Answered",
      "the right one from another network",
    );
  });

/** No password is judged while the mail server is unavailable. */
const outage = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = "outage@sim.test";
    cluster.mail.addAccount(account, PASSWORD);
    cluster.servers.unreachable.add(account);
    const tag = yield* attempt(visit, account, PASSWORD, OWN_ADDRESS);
    cluster.servers.unreachable.delete(account);
    visit.same(tag, "MailServerError", "a sign-in while the mail server is away");
    visit.same(yield* attempt(visit, account, PASSWORD, OWN_ADDRESS), "Answered", "the same password afterwards");
  });

const keys = (visit: Visit) =>
  Effect.gen(function* () {
    const make = (expiresAt: number | null) =>
      visit.ask("make a key", (services) => Context.get(services, Keys).make({ ...KEY, expiresAt }));
    const holderOf = (text: string, isWithin = true) =>
      Effect.match(
        visit.ask("use a key", (services) =>
          Context.get(services, KeyAuthentication).holderOf(text, () => ({
            network: OWN_ADDRESS,
            isWithin: () => isWithin,
          })),
        ),
        { onFailure: ({ _tag }) => _tag, onSuccess: Option.match({ onNone: () => "none", onSome: () => "accepted" }) },
      );
    const [lasting, short] = [yield* make(null), yield* make(visit.now + 5_000)];
    const text = Redacted.value(lasting.text!);
    visit.same(yield* holderOf(text), "accepted", "a key");
    visit.same(yield* holderOf(text, false), "KeyNetworkRefused", "a key from another network");
    visit.same(yield* holderOf(`${text.slice(0, -1)}!`), "KeyRejected", "a wrong key");
    visit.same(yield* holderOf(Redacted.value(short.text!)), "accepted", "a key before its end");
    yield* visit.wait(8_000);
    visit.same(yield* holderOf(Redacted.value(short.text!)), "KeyRejected", "a key after its end");
    yield* visit.ask("delete", (services) => Context.get(services, Keys).remove(lasting.key.id));
    visit.same(yield* holderOf(text), "KeyRejected", "a deleted key");
    visit.same(
      yield* visit.tagOf("delete", (services) => Context.get(services, Keys).remove(lasting.key.id)),
      "KeyNotFound",
      "deleting it again",
    );
  });

const KEY = {
  name: "visited",
  application: "visited",
  scopes: ["mail:read"],
  accounts: null,
  networks: ["192.0.2.0/24"],
  sendPerDay: null,
  notify: null,
} as const;
