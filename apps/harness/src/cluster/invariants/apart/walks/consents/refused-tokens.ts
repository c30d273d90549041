import { Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { MINUTE, SECOND } from "../../durations.ts";
import type { WalkedConsent } from "./walked-consent.ts";

/**
 * A time longer than an access token lasts, than an interrupted exchange holds its lease, and than a session that
 * outlived its grant needs to notice a new consent.
 */
export const TOKEN_ENDS = 62 * SECOND;
/** A time longer than the end of a grant needs to be reported. */
export const TOLD = 6 * SECOND;
/** A time longer than an exchange takes. */
export const EXCHANGED = 2 * SECOND;
/** How often the answers of an open session are recorded at most. */
const RECORDED = 5 * MINUTE;

/**
 * The mail server refuses a token that was just issued: another one is fetched. If that one is refused within two
 * minutes, the account needs a new consent; if another is refused later, yet another is fetched. [S11.4-12]
 */
export const refuseFresh = (visit: Visit, { random }: Cluster, account: WalkedConsent) =>
  Effect.gen(function* () {
    const { email, refuseLatest } = account;
    const lists = (promise: string, when: string) =>
      Effect.map(account.list, (tag) => visit.same(tag, promise, `a request for the mail of ${email} ${when}`));
    // Of an earlier refusal, two minutes may not be over.
    yield* visit.skip(3 * MINUTE);
    yield* visit.wait(EXCHANGED);
    yield* lists("Answered", "with a fresh token");
    for (let times = random.between(1, 3); times > 0; times--) {
      yield* visit.wait(EXCHANGED);
      refuseLatest();
      yield* lists("Answered", "whose token, which was refreshed in time, is refused");
      visit.same((yield* account.state)[0], "active", `the state of ${email}, whose token is replaced`);
      yield* visit.wait(EXCHANGED);
      yield* lists("Answered", "with another token");
      if (random.chance(0.4)) {
        refuseLatest();
        yield* lists("MailboxCredentialsRejected", "whose other token is refused, too");
        yield* visit.wait(TOLD);
        return account.refuse("token_refused");
      }
      yield* visit.skip(3 * MINUTE);
      yield* visit.wait(EXCHANGED);
      yield* lists("Answered", "minutes later");
    }
  });

/**
 * The user ends the consent while a session is open, in which the mail server goes on to answer: the reason stays the
 * provider's. [S11.4-9]
 */
export const outliveGrant = (visit: Visit, { random }: Cluster, account: WalkedConsent) =>
  Effect.gen(function* () {
    const { email, tokens } = account;
    yield* visit.wait(TOLD);
    const until = visit.now + RECORDED + random.between(SECOND, MINUTE);
    tokens.revoke(email);
    yield* visit.wait(TOKEN_ENDS);
    yield* visit.wait(TOLD);
    account.refuse("grant_revoked");
    yield* account.compare;
    while (visit.now < until) {
      account.arrive();
      yield* visit.wait(random.between(30 * SECOND, 90 * SECOND));
      yield* account.compare;
    }
  });
