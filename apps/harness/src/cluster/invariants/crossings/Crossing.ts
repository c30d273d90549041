import type { AccountId } from "@postern/core/shared";
import type { Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Visit } from "../../Visit.ts";

/** Two requests of which one is served while the node of the other stands still, and what has to hold afterwards. */
export interface Crossing {
  readonly name: string;
  readonly prepare: (
    visit: Visit,
    cluster: Cluster,
    account: AccountId,
  ) => Effect.Effect<
    {
      /** What the calls are about before which the node stands still, besides the account. */
      readonly about?: string;
      /** The request whose node stands still. */
      readonly held: Effect.Effect<unknown, unknown>;
      /** The request that another node serves meanwhile; it is repeated until it succeeds. */
      readonly meanwhile: Effect.Effect<unknown, unknown>;
      readonly after: Effect.Effect<unknown, unknown>;
    },
    unknown
  >;
}
