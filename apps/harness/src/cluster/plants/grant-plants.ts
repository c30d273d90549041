import { CredentialVault } from "@postern/core/auth";
import { AuthorizationServer, type Grant, GrantRefused, Grants, ProviderUnavailable } from "@postern/core/oauth";
import { Effect, Option } from "effect";
import { type Plant, plant } from "./Plant.ts";

/** Lets a node begin a refresh although another node holds the lease. `seen` returns the grant as this node sees it. */
const beginDespiteLease =
  (seen: (grant: Grant) => Grant) =>
  <A>(decide: (grant: Grant) => readonly [A, Grant]) =>
  (grant: Grant): readonly [A, Grant] => {
    const decided = decide(grant);
    if (decided[0] !== undefined || grant.state !== "refreshing") return decided;
    const anyway = decide(seen(grant));
    return anyway[1].state === "refreshing" ? anyway : decided;
  };

const withoutLease = beginDespiteLease((grant) => ({ ...grant, lease: null }));
const endingEarly = beginDespiteLease((grant) => ({
  ...grant,
  lease: grant.lease === null ? null : { ...grant.lease, until: grant.lease.until - 3_000 },
}));

/** Bugs of OAuth2 grants. */
export const grantPlants: ReadonlyArray<Plant> = [
  plant("grant-lease-ignored", "a node refreshes a token while another one does", Grants, (real) => ({
    change: (account, decide) => real.change(account, withoutLease(decide)),
  })),
  plant("grant-claimed-early", "leases of grants end three seconds early", Grants, (real) => ({
    change: (account, decide) => real.change(account, endingEarly(decide)),
  })),
  plant("grant-lease-not-renewed", "leases of grants are not renewed", Grants, (real) => ({
    change: (account, decide) =>
      real.change(account, (grant) => {
        const [answer, after] = decide(grant);
        const isRenewal = after.state === "refreshing" && after.lease?.token === grant.lease?.token;
        return [answer, isRenewal ? grant : after];
      }),
  })),
  plant("rotated-token-not-stored", "a rotated refresh token is not stored", Grants, (real) => ({
    change: (account, decide) =>
      real.change(account, (grant) => {
        const [answer, after] = decide(grant);
        return [answer, { ...after, refreshToken: grant.refreshToken }];
      }),
  })),
  plant("consent-not-stored", "a new consent is accepted and not stored", Grants, (real) => ({
    keep: (grant) =>
      Effect.flatMap(real.find(grant.account), (known) => (Option.isNone(known) ? real.keep(grant) : Effect.void)),
  })),
  plant(
    "refresh-sent-twice",
    "each refresh is sent twice, and the second answer counts",
    AuthorizationServer,
    (real) => ({
      refresh: (app, token) => Effect.andThen(real.refresh(app, token), real.refresh(app, token)),
    }),
  ),
  plant("refusal-taken-for-failure", "a grant that its provider ended is kept", AuthorizationServer, (real) => ({
    refresh: (app, token) =>
      Effect.catchTag(real.refresh(app, token), "GrantRefused", () =>
        Effect.fail(new ProviderUnavailable({ retryAfter: null })),
      ),
  })),
  plant("failure-taken-for-refusal", "a grant whose provider is down has ended", AuthorizationServer, (real) => ({
    refresh: (app, token) =>
      Effect.catchTag(real.refresh(app, token), "ProviderUnavailable", () =>
        Effect.fail(new GrantRefused({ fault: "grant_revoked" })),
      ),
  })),
  plant(
    "refusal-not-reported",
    "an account that needs a consent is reported to no application",
    CredentialVault,
    () => ({
      takeRejection: () => Effect.succeed(false),
      unannounced: () => Effect.succeed([]),
    }),
  ),
];
