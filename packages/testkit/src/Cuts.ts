import { Context, type Effect } from "effect";

/** Makes the n-th call of the ports from now on fail, before it has an effect or after. */
export class Cuts extends Context.Service<
  Cuts,
  {
    /** `nth` is 1 for the next call; 0 lets every call through. */
    readonly cut: (nth: number, when: "before" | "after") => Effect.Effect<void>;
    /** Whether the call was made and failed. */
    readonly happened: Effect.Effect<boolean>;
  }
>()("@postern/testkit/Cuts") {}
