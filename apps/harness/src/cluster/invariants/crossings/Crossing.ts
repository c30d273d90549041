import type { AccountId } from "@postern/core/shared";
import type { Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Visit } from "../../Visit.ts";

/** A pair of requests and a check of the result: one request is served while the node of the other one is halted. */
export interface Crossing {
  readonly name: string;
  readonly prepare: (
    visit: Visit,
    cluster: Cluster,
    account: AccountId,
  ) => Effect.Effect<
    {
      /** The subject of the calls before which the node is halted, besides the account. */
      readonly about?: string;
      /** The request whose node is halted. */
      readonly held: Effect.Effect<unknown, unknown>;
      /** The request that another node serves in the meantime; it is repeated until it succeeds. */
      readonly meanwhile: Effect.Effect<unknown, unknown>;
      readonly after: Effect.Effect<unknown, unknown>;
    },
    unknown
  >;
}
