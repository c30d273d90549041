import { Context, type Effect } from "effect";

/** Cuts what goes through the ports: the n-th call from now on fails, before it did anything or after all was done. */
export class Cuts extends Context.Service<
  Cuts,
  {
    /** From now on: 1 is the next call; 0 lets everything through. */
    readonly cut: (nth: number, when: "before" | "after") => Effect.Effect<void>;
    /** Whether the cut came to pass. */
    readonly happened: Effect.Effect<boolean>;
  }
>()("@postern/testkit/Cuts") {}
