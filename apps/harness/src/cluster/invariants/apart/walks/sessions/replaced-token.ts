import { Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { HOUR, MINUTE, SECOND } from "../../durations.ts";
import { IDLE, type WalkedSession, type WalkedSessions } from "./walked-sessions.ts";

/** How long a replaced refresh token returns its successor. */
export const GRACE = 30 * SECOND;
/** How far from the end of the grace a check is fair, because clocks differ. */
const MARGIN = 2 * SECOND;

/**
 * A client repeats a refresh token that was replaced, again and again until it is refused: 30 seconds after it was
 * replaced, however often it was repeated since, or as soon as its successor is used. [S3.3-5] [S3.3-6]
 */
export const repeatReplaced = (visit: Visit, { random }: Cluster, user: WalkedSessions, session: WalkedSession) =>
  Effect.gen(function* () {
    if (session.endsAt - visit.now < 5 * MINUTE) return;
    const replace = Effect.gen(function* () {
      const token = session.refreshToken;
      const answer = yield* user.refresh(token);
      if (answer._tag === "Failure") return visit.expect(false, `a refresh token is refused: ${answer.failure._tag}`);
      session.previous = { token, at: visit.now, until: session.usedAt + IDLE.bearer };
      session.refreshToken = answer.success.refreshToken;
      session.usedAt = visit.now;
      session.accesses = [...session.accesses, { token: answer.success.token, until: visit.now + HOUR }].slice(-3);
    });
    const first = session.refreshToken;
    const isIdle = (until: number) => visit.now > until - MINUTE;
    const until = session.usedAt + IDLE.bearer;
    if (isIdle(until)) return;
    yield* replace;
    const at = visit.now;
    let isSuccessorUsed = false;
    let isOver = false;
    while (!isOver) {
      yield* visit.wait(random.between(4 * SECOND, 25 * SECOND));
      if (isIdle(until)) return;
      if (!isSuccessorUsed && random.chance(0.1)) {
        yield* replace;
        isSuccessorUsed = true;
      }
      const age = visit.now - at;
      if (!isSuccessorUsed && Math.abs(age - GRACE) < MARGIN) continue;
      const again = yield* user.refresh(first);
      isOver = isSuccessorUsed || age > GRACE;
      const found = again._tag === "Failure" ? again.failure._tag : again.success.refreshToken;
      const promise = isOver ? "RefreshReused" : session.refreshToken;
      visit.same(found, promise, `a refresh token that was replaced ${Math.round(age / SECOND)} seconds ago`);
      // Often, the client stops in time.
      if (!isOver && random.chance(0.15)) return;
    }
    user.sessions.delete(session);
    visit.same((yield* user.refresh(session.refreshToken))._tag, "Failure", "the successor of a reused token");
    for (const { token } of session.accesses)
      visit.same(yield* user.uses(token), "TokenRejected", "an access token of a session whose token was reused");
  });
