import type { Effect } from "effect";
import type { StoreUnavailable } from "../shared/index.ts";

/** The data that one domain keeps of service keys and of applications. */
export interface ApplicationData {
  readonly name: string;
  /** Erases what is kept of a key, in the transaction that deletes it. */
  readonly endKey?: (id: string) => Effect.Effect<void, StoreUnavailable>;
  /** Ends what an application has, in the transaction that deletes its keys; false if it had nothing. */
  readonly endApplication?: (application: string) => Effect.Effect<boolean, StoreUnavailable>;
}
