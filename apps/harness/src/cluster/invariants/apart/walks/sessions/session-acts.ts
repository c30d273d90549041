import { Authentication } from "@postern/core/auth";
import { Drafts, DraftSender } from "@postern/core/drafts";
import { SignIn } from "@postern/core/lifecycle";
import { Inbox } from "@postern/core/messages";
import { Outbox } from "@postern/core/send";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { clientOf } from "../../../send/outbox-client.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../durations.ts";
import { CLIENT } from "../../sessions/session-user.ts";
import type { Act } from "../walk.ts";
import { GRACE, repeatReplaced } from "./replaced-token.ts";
import { IDLE, type WalkedSession, type WalkedSessions } from "./walked-sessions.ts";

/** What the clients of an account do with their sessions, and what else needs the account's credential. */
export const sessionActs = (
  visit: Visit,
  cluster: Cluster,
  user: WalkedSessions,
  others: () => WalkedSessions,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { id, sessions, endpoints, messages, known, isLive, mayLive } = user;
  const client = clientOf(visit, cluster, id);
  const owner = { _tag: "Account", account: id } as const;
  const live = () => [...sessions].filter(isLive);
  const pick = (kind?: WalkedSession["kind"]) =>
    random.pick(live().filter((one) => kind === undefined || one.kind === kind));

  const begin = (session: Pick<WalkedSession, "kind" | "id"> & Partial<WalkedSession>, lasts: number) => {
    sessions.add({
      cookie: "",
      refreshToken: "",
      previous: null,
      accesses: [],
      usedAt: visit.now,
      endsAt: visit.now + lasts,
      ...session,
    });
    if (known.isRefused) known.promised.push("account.recovered");
    known.hasCredential = true;
    known.isRefused = false;
  };
  const newest = Effect.map(
    Effect.suspend(() => user.list(id)),
    (all) => all.find((one) => ![...sessions].some((other) => other.id === one.id))?.id ?? "",
  );
  const signIn = Effect.gen(function* () {
    const pair = yield* visit.signIn(id, known.password);
    begin(
      {
        kind: "bearer",
        id: yield* newest,
        refreshToken: pair.refreshToken,
        accesses: [{ token: pair.token, until: visit.now + HOUR }],
      },
      90 * DAY,
    );
  });
  const browse = Effect.gen(function* () {
    const answer = yield* visit.ask("sign in a browser", (services) =>
      Context.get(services, SignIn).forBrowser(id, Redacted.make(known.password), CLIENT),
    );
    begin({ kind: "cookie", id: answer.session.id, cookie: answer.cookie }, 30 * DAY);
  });
  const signInWrongly = Effect.gen(function* () {
    const tag = yield* visit.tagOf("sign in with a former password", (services) =>
      Context.get(services, SignIn).withPassword(id, Redacted.make(`no ${random.next()}`), {
        network: "192.0.2.41",
        userAgent: "wrong",
      }),
    );
    visit.expect(tag === "LoginRefused" || tag === "TooManyLoginFailures", `a wrong password is ${tag}`);
  });
  const host = Effect.gen(function* () {
    yield* visit.ask("use by a host", (services) => Context.get(services, Authentication).byHost(id));
    const before = [...sessions].find((one) => one.kind === "host" && mayLive(one));
    if (before !== undefined) before.usedAt = (yield* user.lasts(before)) ? visit.now : before.usedAt;
    else if (known.hasCredential) {
      const found = yield* newest;
      if (found !== "") begin({ kind: "host", id: found }, Infinity);
    }
  });
  const useCookie = Effect.gen(function* () {
    const session = pick("cookie");
    if (session === undefined) return;
    visit.same(yield* user.browses(session.cookie), "Answered", "a cookie of a live session");
    session.usedAt = visit.now;
  });
  const useToken = Effect.gen(function* () {
    const session = random.pick([...sessions].filter(({ kind }) => kind === "bearer"));
    const access = session === undefined ? undefined : random.pick(session.accesses);
    if (session === undefined || access === undefined || isLive(session) !== mayLive(session)) return;
    const isValid = visit.now < access.until && isLive(session);
    visit.same(yield* user.uses(access.token), isValid ? "Answered" : "TokenRejected", "the use of an access token");
  });
  const refresh = Effect.gen(function* () {
    const session = pick("bearer");
    if (session === undefined) return;
    const { previous } = session;
    const isOld = previous !== null && random.chance(0.3);
    const before = session.refreshToken;
    const [answer, second] = yield* Effect.all(
      [
        user.refresh(isOld ? previous.token : before),
        random.chance(0.2) && !isOld ? user.refresh(before) : Effect.succeed(null),
      ],
      { concurrency: 2 },
    );
    if (isOld && visit.now >= previous.until)
      return visit.same(answer._tag, "Failure", "a replaced refresh token that has expired");
    if (isOld && visit.now - previous.at > GRACE) {
      visit.same(
        answer._tag === "Failure" && answer.failure._tag,
        "RefreshReused",
        "a refresh token that was replaced",
      );
      return void sessions.delete(session);
    }
    if (answer._tag === "Failure") return visit.expect(false, `a refresh token is refused: ${answer.failure._tag}`);
    const { token, refreshToken } = answer.success;
    if (isOld) visit.same(refreshToken, before, "the successor of a repeated refresh token");
    else {
      visit.expect(refreshToken !== before, "a refresh token is not replaced");
      session.previous = { token: before, at: visit.now, until: session.usedAt + IDLE.bearer };
      session.refreshToken = refreshToken;
      session.usedAt = visit.now;
    }
    if (second !== null)
      visit.same(
        second._tag === "Success" && second.success.refreshToken,
        refreshToken,
        "the second of two refreshes at once",
      );
    session.accesses = [...session.accesses, { token, until: visit.now + HOUR }].slice(-3);
  });
  const repeat = Effect.suspend(() => {
    const session = pick("bearer");
    return session === undefined ? Effect.void : repeatReplaced(visit, cluster, user, session);
  });
  const end = Effect.gen(function* () {
    const session = pick();
    if (session === undefined) return;
    const foreign = others();
    visit.same(yield* user.end(foreign.id, session.id), "SessionNotFound", "the end of another account's session");
    visit.same(yield* user.end(id, session.id), "Answered", "the end of a session");
    sessions.delete(session);
    visit.same(yield* user.end(id, session.id), "SessionNotFound", "the second end of a session");
    for (const { token } of session.accesses)
      visit.same(yield* user.uses(token), "TokenRejected", "an access token of an ended session");
    if (session.kind === "cookie") visit.same(yield* user.browses(session.cookie), "TokenRejected", "an ended cookie");
    if (session.kind !== "bearer") return;
    const again = yield* user.refresh(session.refreshToken);
    visit.same(again._tag, "Failure", "a refresh token of an ended session");
  });
  const addEndpoint = Effect.gen(function* () {
    const { endpoint } = yield* visit.ask("endpoint", (services) =>
      Context.get(services, WebhookEndpoints).create(owner, {
        url: `https://${id.split("@")[0]}.sim.test/`,
        events: ["email.sent"],
      }),
    );
    endpoints.add(endpoint.id);
  });
  const removeEndpoint = Effect.gen(function* () {
    const one = random.pick([...endpoints])!;
    endpoints.delete(one);
    yield* visit.ask("remove", (services) => Context.get(services, WebhookEndpoints).remove(owner, one));
  });
  const schedule = Effect.gen(function* () {
    const at = visit.now + random.between(1, 40) * HOUR;
    const { id: message } = yield* client.send("scheduled", { sendAt: at });
    messages.set(message, at);
  });
  /** The messages of drafts. A draft needs the credential until it follows the end of its message. */
  const drafted = new Set<string>();
  const scheduleDraft = Effect.gen(function* () {
    const at = visit.now + random.between(1, 40) * HOUR;
    const { id: message } = yield* visit.ask("schedule a draft", (services) =>
      Effect.flatMap(Context.get(services, Drafts).create(id, client.request("scheduled", at)), (draft) =>
        Context.get(services, DraftSender).send(id, draft.id, undefined, undefined),
      ),
    );
    drafted.add(message);
    messages.set(message, at);
  });
  const cancel = Effect.gen(function* () {
    const [message, at] = random.pick([...messages])!;
    if (at - visit.now < MINUTE) return;
    const tag = yield* visit.tagOf("cancel", (services) => Context.get(services, Outbox).cancel(id, message));
    visit.same(tag, "Answered", "the cancellation of a message that waits");
    messages.delete(message);
    if (drafted.has(message)) known.neededAt = visit.now;
  });
  const cancelAll = Effect.gen(function* () {
    if ([...messages.values()].some((at) => at - visit.now < MINUTE)) return;
    const { messages: count } = yield* visit.ask("cancel all", (services) =>
      Context.get(services, Outbox).changeAll("cancel", { account: id }),
    );
    visit.same(count, messages.size, "the messages that an operator cancelled together");
    if ([...messages.keys()].some((message) => drafted.has(message))) known.neededAt = visit.now;
    messages.clear();
  });
  const readMail = Effect.gen(function* () {
    const tag = yield* visit.tagOf("list", (services) => Context.get(services, Inbox).list(id, { limit: 1 }));
    const isRight = known.hasCredential && !known.isRefused;
    visit.same(tag, isRight ? "Answered" : "MailboxCredentialsRejected", `a request for the mail of ${id}`);
  });
  const changePassword = Effect.gen(function* () {
    known.password = `password ${random.next()}`;
    cluster.mail.addAccount(id, known.password);
    const tag = yield* visit.tagOf("list", (services) => Context.get(services, Inbox).list(id, { limit: 1 }));
    visit.same(tag, "MailboxCredentialsRejected", "a request with a former password");
    if (!known.isRefused) known.promised.push("account.auth_failed auth_refused");
    known.isRefused = true;
    yield* visit.wait(6 * SECOND);
  });

  const act = (name: string, weight: number, run: Effect.Effect<unknown, unknown>, isPossible = () => true): Act => ({
    name: `${name} ${id}`,
    weight,
    isPossible: () => (user.age(), isPossible()),
    run: Effect.andThen(run, user.compare),
  });
  const isUsed = () => live().length > 0;
  /** Without a credential, the copies of a sent draft are sought for hours. */
  const isFollowed = () => visit.now - known.dueAt > MINUTE;
  const has = () => known.hasCredential && !known.isRefused && isUsed();
  return [
    act("sign in", 2, signIn),
    act("browse", 2, browse),
    act("a wrong password for", 1, signInWrongly),
    act("use by a host", 1, host, () => known.hasCredential && !known.isRefused),
    act("use a cookie of", 2, useCookie, isUsed),
    act("use a token of", 2, useToken),
    act("refresh", 3, refresh, isUsed),
    act("repeat a replaced token of", 1, repeat, isUsed),
    act("end a session of", 4, end, isUsed),
    act("add an endpoint to", 1, addEndpoint, () => has() && endpoints.size < 2),
    act("remove an endpoint of", 2, removeEndpoint, () => endpoints.size > 0),
    act("schedule a message of", 1, schedule, has),
    act("schedule a draft of", 1, scheduleDraft, has),
    act("cancel a message of", 2, cancel, () => messages.size > 0),
    act("cancel all messages of", 1, cancelAll, () => messages.size > 0),
    act("read the mail of", 1, readMail),
    act("change the password of", 1, changePassword, () => has() && messages.size === 0 && isFollowed()),
  ];
};
