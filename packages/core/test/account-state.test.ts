import { AccountId } from "../src/shared/index.ts";
import {
  type Account,
  ConnectionCause,
  CREDENTIAL_CAUSES,
  causeMessage,
  failed,
  newAccount,
  paused,
  reasonOf,
  seen,
  stateOf,
} from "../src/accounts/index.ts";
import { ACCOUNT_STATES } from "../src/accounts/Account.ts";
import { answered, doubted, isSeenDue, unreached } from "../src/accounts/account-state.ts";
import {
  signingInBy,
  tagsOf,
  type Verification,
  verified,
  withoutGrant,
  withoutToken,
  withToken,
} from "../src/accounts/neighbours.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

const T = 1_800_000_000_000;
const fresh = newAccount(AccountId("me@postern.test"), T);

const cause = fc.constantFrom(...ConnectionCause.literals);
/** What may happen to an account, in any order; the vault refuses and accepts credentials by itself. */
const step: fc.Arbitrary<(account: Account, now: number) => Account> = fc.oneof(
  fc.constant(seen),
  cause.map((why) => (account: Account, now: number) => failed(account, why, now)),
  fc.boolean().map((pause) => (account: Account, now: number) => paused(account, pause, now)),
  fc.constant((account: Account, now: number) => ({ ...account, refusedAt: now })),
  fc.constant((account: Account) => ({ ...account, refusedAt: null })),
);
const lives = fc.array(step, { maxLength: 20 });
const after = (steps: ReadonlyArray<(account: Account, now: number) => Account>) =>
  steps.reduce((account, next, n) => next(account, T + n), fresh);

describe("the state of an account", () => {
  it("is always one of the four, with a reason where something is wrong", () => {
    fc.assert(
      fc.property(lives, (steps) => {
        const account = after(steps);
        const state = stateOf(account);
        expect(ACCOUNT_STATES).toContain(state);
        expect(reasonOf(account) !== null).toBe(state === "needs_reauth" || state === "unreachable");
      }),
    );
  });

  it("is paused from a pause to its end, whatever else happens", () => {
    fc.assert(
      fc.property(lives, lives, (before, meanwhile) => {
        const isPause = (next: (account: Account, now: number) => Account) =>
          next(fresh, T).pausedAt !== null || next(paused(fresh, true, T), T).pausedAt === null;
        const account = meanwhile
          .filter((next) => !isPause(next))
          .reduce((known, next) => next(known, T + 99), paused(after(before), true, T + 50));
        expect(stateOf(account)).toBe("paused");
        expect(stateOf(paused({ ...account, refusedAt: null, unreachable: null }, false, T + 100))).toBe("active");
      }),
    );
  });

  it("keeps the time of the first of many equal failures, until the server answers", () => {
    const first = failed(fresh, "timeout", T + 1);
    const again = failed(failed(first, "timeout", T + 2), "timeout", T + 3);
    expect(reasonOf(again)).toEqual({ cause: "timeout", since: T + 1 });
    expect(reasonOf(failed(again, "refused", T + 4))).toEqual({ cause: "refused", since: T + 4 });
    expect(stateOf(seen(again, T + 5))).toBe("active");
    expect(reasonOf(failed(seen(again, T + 5), "timeout", T + 6))).toEqual({ cause: "timeout", since: T + 6 });
  });

  it("takes a refusal without a reason for final when another comes a minute later, and nothing was accepted since [S10.3-8]", () => {
    const [isFirstFinal, first] = doubted(fresh, T);
    expect(isFirstFinal).toBe(false);
    expect(reasonOf(first)).toEqual({ cause: "sign_in_unclear", since: T });
    expect(doubted(first, T + 59_999)).toEqual([false, first]);
    expect(doubted(first, T + 60_000)[0]).toBe(true);
    for (const proof of [seen, answered]) expect(doubted(proof(first, T + 30_000), T + 60_000)[0]).toBe(false);
    expect(doubted(unreached(first, "timeout", T + 30_000), T + 60_000)[0]).toBe(false);
  });

  it("names the cause that a verification found for a refused credential, else a refused password", () => {
    const refused = { ...fresh, refusedAt: T + 7 };
    expect(reasonOf(refused)).toEqual({ cause: "auth_refused", since: T + 7 });
    expect(reasonOf(failed(refused, "oauth_required", T + 9))).toEqual({ cause: "oauth_required", since: T + 7 });
    for (const why of CREDENTIAL_CAUSES) expect(failed(fresh, why, T).unreachable).toBeNull();
  });

  it("is unreachable where the server opens no mailbox, also for a cause that a verification blames on the credential", () => {
    expect(reasonOf(unreached(fresh, "imap_disabled", T + 1))).toEqual({ cause: "imap_disabled", since: T + 1 });
    expect(stateOf(unreached(fresh, "imap_disabled", T + 1))).toBe("unreachable");
  });

  it("of a grant keeps what the provider said, whatever a verification finds", () => {
    const granted = { ...signingInBy(fresh, "oauth2", "google"), refusedAt: T + 7 };
    expect(reasonOf(granted)).toEqual({ cause: "token_refused", since: T + 7 });
    expect(reasonOf(failed(granted, "auth_refused", T + 9))?.cause).toBe("token_refused");
    expect(reasonOf(failed(granted, "imap_disabled", T + 9))?.cause).toBe("imap_disabled");
    const ended = withoutGrant(granted, "grant_revoked");
    expect(reasonOf(failed(ended, "auth_refused", T + 9))?.cause).toBe("grant_revoked");
    expect(failed(seen(ended, T + 10), "imap_disabled", T + 11).refusedCause).toBe("imap_disabled");
  });

  it("records a sign of life at most every five minutes, unless the server was unreachable", () => {
    const account = seen(fresh, T);
    expect(isSeenDue(fresh, T)).toBe(true);
    expect(isSeenDue(account, T + 299_999)).toBe(false);
    expect(isSeenDue(account, T + 300_000)).toBe(true);
    expect(isSeenDue(failed(account, "timeout", T), T + 1)).toBe(true);
  });

  it("has a sentence for each cause", () => {
    const messages = ConnectionCause.literals.map(causeMessage);
    expect(new Set(messages).size).toBe(ConnectionCause.literals.length);
    for (const message of messages) expect(message).toMatch(/^[A-Z].*\.$/);
  });

  it("is new: not managed, active, and signing in by a password", () => {
    expect(fresh).toMatchObject({ managed: false, authKind: "password", provider: null, lastSeenAt: null, tags: [] });
    expect([stateOf(fresh), reasonOf(fresh)]).toEqual(["active", null]);
  });

  it("without a token keeps the time of the first failure of its provider, until that issues one", () => {
    const first = withoutToken(fresh, "provider_unavailable", T + 1);
    expect(reasonOf(withoutToken(first, "provider_unavailable", T + 2))?.since).toBe(T + 1);
    expect(reasonOf(withoutToken(first, "app_misconfigured", T + 2))?.since).toBe(T + 2);
    expect(withToken(first).unreachable).toBeNull();
    const unanswered = unreached(fresh, "timeout", T);
    expect(withToken(unanswered)).toBe(unanswered);
    expect(unreached(first, "timeout", T + 2)).toBe(first);
    expect(answered(first, T + 2)).toBe(first);
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

  it("that found nothing wrong ends what was wrong with the servers", () => {
    const before = failed(fresh, "timeout", T);
    expect(verified(before, found(null, null), T + 1)).toEqual([false, seen(before, T + 1)]);
  });

  it("blames the credential for a refusal by IMAP alone, and tells the cause of IMAP first", () => {
    expect(verified(fresh, found("imap_disabled", "timeout"), T)).toEqual([true, failed(fresh, "imap_disabled", T)]);
    expect(verified(fresh, found(null, "auth_refused"), T)).toEqual([false, failed(fresh, "auth_refused", T)]);
    expect(verified(fresh, found("timeout", "auth_refused"), T)).toEqual([false, failed(fresh, "timeout", T)]);
    expect(verified(fresh, found("timeout", null, true), T)).toEqual([false, failed(fresh, "timeout", T)]);
  });

  it("takes a refusal without a reason for final a minute after the first, or of a refused credential [S10.3-8]", () => {
    const unclear = found("auth_refused", null, true);
    const [isRefused, first] = verified(fresh, unclear, T);
    expect([isRefused, reasonOf(first)]).toEqual([false, { cause: "sign_in_unclear", since: T }]);
    expect(verified(first, unclear, T + 59_999)).toEqual([false, first]);
    expect(verified(first, unclear, T + 60_000)).toEqual([true, failed(first, "auth_refused", T + 60_000)]);
    const refused = { ...fresh, refusedAt: T };
    expect(verified(refused, unclear, T + 1)).toEqual([true, failed(refused, "auth_refused", T + 1)]);
    expect(verified(fresh, found("auth_refused", null), T)[0]).toBe(true);
  });
});
