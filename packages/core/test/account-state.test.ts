import { AccountId } from "../src/shared/index.ts";
import {
  type Account,
  ConnectionCause,
  CREDENTIAL_CAUSES,
  recordFailure,
  newAccount,
  setPaused,
  reasonOf,
  recordSeen,
  stateOf,
} from "../src/accounts/index.ts";
import { causeMessage } from "../src/accounts/ConnectionCause.ts";
import { ACCOUNT_STATES } from "../src/accounts/Account.ts";
import { recordAnswer, recordDoubt, shouldRecordSeen, recordUnreachable } from "../src/accounts/account-state.ts";
import {
  withAuthKind,
  tagsOf,
  type Verification,
  recordVerification,
  withoutGrant,
  withoutToken,
  withToken,
} from "../src/accounts/neighbours.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

const T = 1_800_000_000_000;
const fresh = newAccount(AccountId("me@postern.test"), T);

const cause = fc.constantFrom(...ConnectionCause.literals);
/** Random events of an account, in any order. The vault refuses and accepts credentials independently. */
const step: fc.Arbitrary<(account: Account, now: number) => Account> = fc.oneof(
  fc.constant(recordSeen),
  cause.map((why) => (account: Account, now: number) => recordFailure(account, why, now)),
  fc.boolean().map((pause) => (account: Account, now: number) => setPaused(account, pause, now)),
  fc.constant((account: Account, now: number) => ({ ...account, refusedAt: now })),
  fc.constant((account: Account) => ({ ...account, refusedAt: null })),
);
const lives = fc.array(step, { maxLength: 20 });
const after = (steps: ReadonlyArray<(account: Account, now: number) => Account>) =>
  steps.reduce((account, next, n) => next(account, T + n), fresh);

describe("the state of an account", () => {
  it("is always one of four, with a reason if something is wrong", () => {
    fc.assert(
      fc.property(lives, (steps) => {
        const account = after(steps);
        const state = stateOf(account);
        expect(ACCOUNT_STATES).toContain(state);
        expect(reasonOf(account) !== null).toBe(state === "needs_reauth" || state === "unreachable");
      }),
    );
  });

  it("stays paused until it is resumed, whatever else happens", () => {
    fc.assert(
      fc.property(lives, lives, (before, meanwhile) => {
        const isPause = (next: (account: Account, now: number) => Account) =>
          next(fresh, T).pausedAt !== null || next(setPaused(fresh, true, T), T).pausedAt === null;
        const account = meanwhile
          .filter((next) => !isPause(next))
          .reduce((known, next) => next(known, T + 99), setPaused(after(before), true, T + 50));
        expect(stateOf(account)).toBe("paused");
        expect(stateOf(setPaused({ ...account, refusedAt: null, unreachable: null }, false, T + 100))).toBe("active");
      }),
    );
  });

  it("keeps the time of the first of many equal failures, until the server answers", () => {
    const first = recordFailure(fresh, "timeout", T + 1);
    const again = recordFailure(recordFailure(first, "timeout", T + 2), "timeout", T + 3);
    expect(reasonOf(again)).toEqual({ cause: "timeout", since: T + 1 });
    expect(reasonOf(recordFailure(again, "refused", T + 4))).toEqual({ cause: "refused", since: T + 4 });
    expect(stateOf(recordSeen(again, T + 5))).toBe("active");
    expect(reasonOf(recordFailure(recordSeen(again, T + 5), "timeout", T + 6))).toEqual({
      cause: "timeout",
      since: T + 6,
    });
  });

  it("treats a refusal without a reason as final if a second one follows a minute later without a success in between [S10.3-8]", () => {
    const [isFirstFinal, first] = recordDoubt(fresh, T);
    expect(isFirstFinal).toBe(false);
    expect(reasonOf(first)).toEqual({ cause: "sign_in_unclear", since: T });
    expect(recordDoubt(first, T + 59_999)).toEqual([false, first]);
    expect(recordDoubt(first, T + 60_000)[0]).toBe(true);
    for (const proof of [recordSeen, recordAnswer])
      expect(recordDoubt(proof(first, T + 30_000), T + 60_000)[0]).toBe(false);
    expect(recordDoubt(recordUnreachable(first, "timeout", T + 30_000), T + 60_000)[0]).toBe(false);
  });

  it("names the cause that a verification found for a refused credential, otherwise a refused password", () => {
    const refused = { ...fresh, refusedAt: T + 7 };
    expect(reasonOf(refused)).toEqual({ cause: "auth_refused", since: T + 7 });
    expect(reasonOf(recordFailure(refused, "oauth_required", T + 9))).toEqual({
      cause: "oauth_required",
      since: T + 7,
    });
    for (const why of CREDENTIAL_CAUSES) expect(recordFailure(fresh, why, T).unreachable).toBeNull();
  });

  it("is unreachable if the server opens no mailbox, even if a verification blames the credential", () => {
    expect(reasonOf(recordUnreachable(fresh, "imap_disabled", T + 1))).toEqual({
      cause: "imap_disabled",
      since: T + 1,
    });
    expect(stateOf(recordUnreachable(fresh, "imap_disabled", T + 1))).toBe("unreachable");
  });

  it("keeps the fault of the grant that the provider reported, whatever a verification finds", () => {
    const granted = { ...withAuthKind(fresh, "oauth2", "google"), refusedAt: T + 7 };
    expect(reasonOf(granted)).toEqual({ cause: "token_refused", since: T + 7 });
    expect(reasonOf(recordFailure(granted, "auth_refused", T + 9))?.cause).toBe("token_refused");
    expect(reasonOf(recordFailure(granted, "imap_disabled", T + 9))?.cause).toBe("imap_disabled");
    const ended = withoutGrant(granted, "grant_revoked");
    expect(reasonOf(recordFailure(ended, "auth_refused", T + 9))?.cause).toBe("grant_revoked");
    expect(recordFailure(recordSeen(ended, T + 10), "imap_disabled", T + 11).refusedCause).toBe("imap_disabled");
  });

  it("records a sign of life at most every five minutes, unless the server was unreachable", () => {
    const account = recordSeen(fresh, T);
    expect(shouldRecordSeen(fresh, T)).toBe(true);
    expect(shouldRecordSeen(account, T + 299_999)).toBe(false);
    expect(shouldRecordSeen(account, T + 300_000)).toBe(true);
    expect(shouldRecordSeen(recordFailure(account, "timeout", T), T + 1)).toBe(true);
  });

  it("has a sentence for each cause", () => {
    const messages = ConnectionCause.literals.map(causeMessage);
    expect(new Set(messages).size).toBe(ConnectionCause.literals.length);
    for (const message of messages) expect(message).toMatch(/^[A-Z].*\.$/);
  });

  it("begins active and not managed, and signs in with a password", () => {
    expect(fresh).toMatchObject({ managed: false, authKind: "password", provider: null, lastSeenAt: null, tags: [] });
    expect([stateOf(fresh), reasonOf(fresh)]).toEqual(["active", null]);
  });

  it("keeps the time of the provider's first failure until the provider issues a token", () => {
    const first = withoutToken(fresh, "provider_unavailable", T + 1);
    expect(reasonOf(withoutToken(first, "provider_unavailable", T + 2))?.since).toBe(T + 1);
    expect(reasonOf(withoutToken(first, "app_misconfigured", T + 2))?.since).toBe(T + 2);
    expect(withToken(first).unreachable).toBeNull();
    const unanswered = recordUnreachable(fresh, "timeout", T);
    expect(withToken(unanswered)).toBe(unanswered);
    expect(recordUnreachable(first, "timeout", T + 2)).toBe(first);
    expect(recordAnswer(first, T + 2)).toBe(first);
  });

  it("keeps the reason of a refusal while an open session answers [S11.4-9]", () => {
    const refused = { ...withoutGrant(fresh, "grant_revoked"), refusedAt: T };
    expect(recordAnswer(refused, T + 1)).toBe(refused);
    expect(reasonOf(recordAnswer(refused, T + 1))).toEqual({ cause: "grant_revoked", since: T });
  });

  it("keeps tags sorted and once each", () => {
    expect(tagsOf(["b", "a", "b"])).toEqual(["a", "b"]);
  });
});

describe("the verification of an account", () => {
  const check = (cause: ConnectionCause | null) => ({ host: "mail.test", port: 993, cause });
  const found = (imap: ConnectionCause | null, smtp: ConnectionCause | null, isUnclear = false): Verification => ({
    imap: check(imap),
    smtp: check(smtp),
    capabilities: [],
    present: null,
    isUnclear,
  });

  it("ends the fault of the servers if it finds nothing wrong", () => {
    const before = recordFailure(fresh, "timeout", T);
    expect(recordVerification(before, found(null, null), T + 1)).toEqual([false, recordSeen(before, T + 1)]);
  });

  it("blames the credential only if IMAP refuses it, and reports the cause of IMAP first", () => {
    expect(recordVerification(fresh, found("imap_disabled", "timeout"), T)).toEqual([
      true,
      recordFailure(fresh, "imap_disabled", T),
    ]);
    expect(recordVerification(fresh, found(null, "auth_refused"), T)).toEqual([
      false,
      recordFailure(fresh, "auth_refused", T),
    ]);
    expect(recordVerification(fresh, found("timeout", "auth_refused"), T)).toEqual([
      false,
      recordFailure(fresh, "timeout", T),
    ]);
    expect(recordVerification(fresh, found("timeout", null, true), T)).toEqual([
      false,
      recordFailure(fresh, "timeout", T),
    ]);
  });

  it("treats a refusal without a reason as final a minute after the first, or if the credential is already refused [S10.3-8]", () => {
    const unclear = found("auth_refused", null, true);
    const [isRefused, first] = recordVerification(fresh, unclear, T);
    expect([isRefused, reasonOf(first)]).toEqual([false, { cause: "sign_in_unclear", since: T }]);
    expect(recordVerification(first, unclear, T + 59_999)).toEqual([false, first]);
    expect(recordVerification(first, unclear, T + 60_000)).toEqual([
      true,
      recordFailure(first, "auth_refused", T + 60_000),
    ]);
    const refused = { ...fresh, refusedAt: T };
    expect(recordVerification(refused, unclear, T + 1)).toEqual([true, recordFailure(refused, "auth_refused", T + 1)]);
    expect(recordVerification(fresh, found("auth_refused", null), T)[0]).toBe(true);
  });
});
