import { Context, type Effect } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";

/** Remembers which tasks were done after an upgrade, each once for all nodes. */
export class UpgradeTasks extends Context.Service<
  UpgradeTasks,
  {
    readonly isDone: (name: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Records that a task is done; true for the first call of all nodes. */
    readonly finish: (name: string) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/accounts/ports/UpgradeTasks") {}
