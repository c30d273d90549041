import { Grants } from "@postern/core/oauth";
import { Effect, HashMap, Layer, Option } from "effect";
import { keptCredentials } from "../auth/CredentialVault.ts";

/** Grants, kept in memory only, in the same cell as passwords. */
export const layer = Layer.effect(
  Grants,
  Effect.gen(function* () {
    const { kept, keep } = yield* keptCredentials;

    return Grants.of({
      keep: (grant) =>
        keep(grant.account, (version) => ({
          credential: { _tag: "Grant", username: grant.username, version, rejectedAt: null },
          grant,
          told: false,
        })),
      find: (account) =>
        Effect.map(kept.get, (all) =>
          Option.flatMap(HashMap.get(all, account), ({ grant }) => Option.fromNullOr(grant)),
        ),
      change: (account, decide) =>
        Effect.andThen(
          kept.lock([account]),
          kept.modify((all) => {
            const grant = Option.getOrUndefined(HashMap.get(all, account))?.grant ?? null;
            if (grant === null) return [Option.none(), all];
            const [answer, after] = decide(grant);
            return [Option.some(answer), HashMap.modify(all, account, (some) => ({ ...some, grant: after }))];
          }),
        ),
      listDelegates: (account) =>
        Effect.map(kept.get, (all) =>
          [...HashMap.values(all)]
            .flatMap(({ grant }) => (grant?.delegateOf === account ? [grant.account] : []))
            .toSorted(),
        ),
    });
  }),
);
