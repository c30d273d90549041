import type { Effect } from "effect";
import type { StoreUnavailable } from "../shared/index.ts";

/** How many things of a deleted key or application were ended, or are held until someone decides about them. */
export interface EndedData {
  /** Messages that waited to be sent. */
  readonly messages: number;
  /** Webhook endpoints. */
  readonly endpoints: number;
}

/** The data that one domain keeps of service keys and of applications. */
export interface ApplicationData {
  readonly name: string;
  /** Ends what a key has, in the transaction that deletes it. */
  readonly endKey?: (id: string) => Effect.Effect<Partial<EndedData>, StoreUnavailable>;
  /** Ends what an application has, in the transaction that deletes its keys and before `endKey` of each. */
  readonly endApplication?: (application: string) => Effect.Effect<Partial<EndedData>, StoreUnavailable>;
}
