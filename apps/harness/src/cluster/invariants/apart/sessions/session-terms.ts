import { AccountSessions } from "@postern/core/auth";
import { Context, Effect } from "effect";
import type { Invariant } from "../../../Invariant.ts";
import { MINUTE, SECOND } from "../durations.ts";
import { refreshForLong, useByHost, useCookie } from "./session-lengths.ts";
import { CLIENT, sessionsOf, type SessionUser } from "./session-user.ts";

/**
 * A session ends when it was promised to end and no earlier, by whatever the client does in the meantime. The account
 * keeps its credential until the last session ends by itself, which is then announced once. [S3.2-8] [S3.3-2] [S3.3-5]
 * [S3.3-6] [S3.5-3] [S3.5-13] [S3.7-6]
 */
export const sessionTerms: Invariant = {
  name: "session-terms",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const browser = sessionsOf(visit, cluster);
        yield* repeatRefresh(browser);
        yield* reuseLast(browser);
        yield* endOthers(browser);
        yield* visit.pickInTurn([refreshForLong, useCookie, useByHost])(browser);
      }),
  }),
};

/** A replaced token returns its successor for 30 seconds, while the successor is unused; any other use ends the session. */
const repeatRefresh = ({ visit, uses, refresh }: SessionUser) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("repeating");
    for (const [after, isUsed] of [
      [25 * SECOND, false],
      [35 * SECOND, false],
      [6 * MINUTE, true],
    ] as const) {
      const first = yield* visit.signIn(account);
      const next = yield* refresh(first.refreshToken);
      if (next._tag === "Failure") return visit.expect(false, "a refresh token is refused");
      yield* visit.skip(after);
      if (isUsed) visit.same(yield* uses(next.success.token), "Answered", "an access token a few minutes later");
      const again = yield* refresh(first.refreshToken);
      const isRepeated = after < 30 * SECOND;
      if (again._tag === "Success")
        visit.same(
          [true, again.success.refreshToken],
          [isRepeated, next.success.refreshToken],
          `a repeat ${after} ms later`,
        );
      else visit.same([again.failure._tag, isRepeated], ["RefreshReused", false], `a repeat ${after} ms later`);
      visit.same(
        yield* uses(next.success.token),
        isRepeated ? "Answered" : "TokenRejected",
        "the session after a repeat",
      );
    }
  });

/** A reuse that ends the last session of an account erases its credential. */
const reuseLast = ({ visit, list, end, refresh, isKept }: SessionUser) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("reusing");
    const [first] = yield* list(account);
    const pair = yield* visit.signIn(account);
    yield* end(account, first!.id);
    yield* refresh(pair.refreshToken);
    visit.expect(isKept(account), "an account with a session lost its credential");
    yield* visit.skip(MINUTE);
    yield* refresh(pair.refreshToken);
    visit.expect(!isKept(account), "an account keeps its credential after a reuse ended its last session");
  });

/** An account ends and shows its own sessions only, each by itself. */
const endOthers = ({ visit, uses, browses, browse, list, end, isKept }: SessionUser) =>
  Effect.gen(function* () {
    const [own, other] = [yield* visit.signUp("own"), yield* visit.signUp("other")];
    const pair = yield* visit.signIn(own);
    const { cookie, id } = yield* browse(own);
    const found = yield* visit.ask("find", (services) => Context.get(services, AccountSessions).find(own, id));
    visit.same([found.account, found.kind, found.client], [own, "cookie", CLIENT], "a browser's session");
    visit.same(yield* end(other, id), "SessionNotFound", "the end of another account's session");
    visit.same(yield* browses(cookie), "Answered", "a session that another account tried to end");
    const kinds = (yield* list(own)).map(({ kind }) => kind);
    visit.same(kinds.toSorted(), ["bearer", "bearer", "cookie"], "the sessions of an account");
    visit.same(yield* end(own, id), "Answered", "the end of a browser's session");
    visit.same(
      [yield* browses(cookie), yield* uses(pair.token)],
      ["TokenRejected", "Answered"],
      "an ended session and another",
    );
    visit.expect(isKept(own) && isKept(other), "an account with a session lost its credential");
  });
