import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import type { AgentGrant } from "../../src/assistants/AgentGrant.ts";
import { AgentGrants } from "../../src/assistants/AgentGrants.ts";
import type { AuthorizationCode } from "../../src/assistants/AuthorizationCode.ts";
import { AgentGrantRecords } from "../../src/assistants/ports/AgentGrantRecords.ts";
import { AuditTrail } from "../../src/audit/Audit.ts";
import { CredentialRelease, CredentialVault, type FoundCredential } from "../../src/auth/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { AllAccountData } from "../../src/shared/neighbours.ts";
import { noTransaction, numberedIds, readableHashes } from "../doubles.ts";

export const NOW = 1_900_000_000_000;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const ME = AccountId("me@postern.test");
export const OTHER = AccountId("other@postern.test");
export const CLIENT = { id: "client_1", name: "Assistant", host: null };

/** A code of the account for a client that may read and send to a domain. */
export const CODE: AuthorizationCode = {
  id: "hash of code",
  account: ME,
  client: CLIENT,
  redirectUri: "https://assistant.example/callback",
  challenge: `hash of ${"v".repeat(43)}`,
  scopes: ["mail:read", "mail:send"],
  sendPolicy: { to: ["@x.test"], approval: "outside" },
  expiresAt: NOW + MINUTE,
};

/** Grants by their ids. Records in order what ended, which credentials were released, and what was audited. */
export const grantsInMemory = () => {
  const stored = new Map<string, AgentGrant>();
  const happened: Array<string> = [];
  /** The accounts whose credential is erased. */
  const signedOut = new Set<AccountId>();
  const note = (what: string) => Effect.sync(() => void happened.push(what));
  const layer = AgentGrants.layer.pipe(
    Layer.provideMerge([
      Layer.mock(AgentGrantRecords, {
        insert: (grant) => Effect.sync(() => void stored.set(grant.id, grant)),
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(stored.get(id))),
        change: (id, decide) =>
          Effect.sync(() => {
            const known = stored.get(id);
            if (known === undefined) return Option.none();
            const [answer, after] = decide(known);
            if (after === null) stored.delete(id);
            else stored.set(id, after);
            return Option.some(answer);
          }),
        list: (account, now, after, limit) =>
          Effect.sync(() =>
            [...stored.values()]
              .filter((grant) => grant.account === account && now < grant.expiresAt)
              .toSorted((one, other) => (one.id < other.id ? -1 : 1))
              .filter(({ id }) => after === undefined || id > after.id)
              .slice(0, limit),
          ),
        removeExpired: (before, limit) =>
          Effect.sync(() => {
            const expired = [...stored.values()].filter(({ expiresAt }) => expiresAt <= before).slice(0, limit);
            for (const { id } of expired) stored.delete(id);
            happened.push(`removed ${expired.length} of ${limit}`);
            return expired;
          }),
      }),
      Layer.mock(CredentialVault, {
        find: (account) =>
          Effect.sync(() => (signedOut.has(account) ? Option.none() : Option.some({} as FoundCredential))),
        eraseUnless: (_, inUse) => Effect.as(inUse, false),
      }),
      Layer.succeed(CredentialRelease, { release: (account) => note(`released ${account}`) }),
      Layer.succeed(AllAccountData, [
        { name: "mail", endKey: (id, mail) => Effect.as(note(`ended ${id}: ${mail}`), {}) },
        { name: "without any" },
      ]),
      Layer.succeed(AuditTrail, (operation, { account, target }) => note(`${operation} ${account} ${target}`)),
      noTransaction,
      readableHashes,
      numberedIds,
    ]),
  );
  return {
    stored,
    happened,
    signedOut,
    layer,
    /** Runs a use case of grants at this time. */
    run: <A, E>(now: number, body: (grants: AgentGrants["Service"]) => Effect.Effect<A, E>) =>
      Effect.andThen(TestClock.setTime(now), Effect.provide(Effect.flatMap(AgentGrants, body), layer)),
  };
};
