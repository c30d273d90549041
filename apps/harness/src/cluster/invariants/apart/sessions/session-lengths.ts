import { Authentication } from "@postern/core/auth";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../events-of.ts";
import type { Visit } from "../../../Visit.ts";
import { DAY, HOUR, MINUTE } from "../durations.ts";
import type { SessionUser } from "./session-user.ts";

/** A token pair: the access token lasts an hour, the refresh token 30 days from its use, the session 90 days. */
export const refreshForLong = ({ visit, cluster, uses, refresh, isKept }: SessionUser): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("refreshing");
    let pair = yield* visit.signIn(account);
    yield* visit.skip(59 * MINUTE);
    visit.same(yield* uses(pair.token), "Answered", "an access token after 59 minutes");
    yield* visit.skip(2 * MINUTE);
    visit.same(yield* uses(pair.token), "TokenRejected", "an access token after 61 minutes");
    for (const days of [29, 58, 87]) {
      yield* visit.skip(29 * DAY);
      const next = yield* refresh(pair.refreshToken);
      visit.same(next._tag, "Success", `a refresh after ${days} days, 29 after the last`);
      if (next._tag === "Success") pair = next.success;
    }
    visit.expect(isKept(account), "an account with a session lost its credential");
    yield* visit.skip(3 * DAY);
    visit.same((yield* refresh(pair.refreshToken))._tag, "Failure", "a refresh after more than 90 days");
    yield* announcedEnd(visit, cluster, account, isKept);
    const idle = yield* visit.signIn(account);
    yield* visit.skip(30 * DAY + HOUR);
    visit.same((yield* refresh(idle.refreshToken))._tag, "Failure", "a refresh more than 30 days after the last");
  });

/** A cookie lasts 24 hours from its last use, and 30 days. */
export const useCookie = ({
  visit,
  cluster,
  browses,
  browse,
  list,
  end,
  isKept,
}: SessionUser): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("browsing");
    for (const { id } of yield* list(account)) {
      const { cookie } = yield* browse(account);
      yield* end(account, id);
      yield* visit.skip(23 * HOUR);
      visit.same(yield* browses(cookie), "Answered", "a cookie after 23 hours");
      yield* visit.skip(25 * HOUR);
      visit.same(yield* browses(cookie), "TokenRejected", "a cookie that was not used for 25 hours");
    }
    yield* announcedEnd(visit, cluster, account, isKept);
    const { cookie } = yield* browse(account);
    for (let hours = 23; hours < 30 * 24; hours += 23) {
      yield* visit.skip(23 * HOUR);
      visit.same(yield* browses(cookie), "Answered", `a cookie after ${hours} hours, 23 after its last use`);
    }
    const [session] = yield* list(account);
    visit.expect(visit.now - session!.lastUsedAt < 6 * MINUTE, "the last use of a session is older than shown");
    yield* visit.skip(23 * HOUR);
    visit.same(yield* browses(cookie), "TokenRejected", "a cookie after more than 30 days");
  });

/** A host's session lasts 30 days from the last request, however long ago it began. */
export const useByHost = ({ visit, cluster, list, end, isKept }: SessionUser): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("hosted");
    const [first] = yield* list(account);
    const use = visit.ask("use by a host", (services) => Context.get(services, Authentication).byHost(account));
    yield* Effect.all([use, use], { concurrency: 2 });
    yield* end(account, first!.id);
    for (let n = 0; n < 3; n++) {
      yield* visit.skip(29 * DAY);
      yield* use;
      visit.same(
        (yield* list(account)).map(({ kind }) => kind),
        ["host"],
        "the sessions of an account that a host uses",
      );
      visit.expect(isKept(account), "an account that a host uses lost its credential");
    }
    yield* visit.skip(31 * DAY);
    yield* announcedEnd(visit, cluster, account, isKept);
    yield* use;
    visit.same((yield* list(account)).length, 0, "the sessions of an account without a credential");
  });

/** Within two hours after the end of the last session, the credential is erased, which is announced once. */
const announcedEnd = (visit: Visit, cluster: Cluster, account: AccountId, isKept: SessionUser["isKept"]) =>
  Effect.gen(function* () {
    yield* visit.skip(2 * HOUR);
    visit.expect(!isKept(account), "an account keeps its credential after its last session ended by itself");
    const told = eventsOf(cluster, account, "account.auth_failed").map((event) => dataOf(event, "reason"));
    const codes = told.map((reason) => (reason as { readonly code: string }).code);
    visit.same(codes, ["signed_out"], "the account.auth_failed after the last session");
  });
