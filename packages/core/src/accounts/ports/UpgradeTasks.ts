import { Context, type Effect } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";

/** Records which tasks were done after an upgrade. Each task is done once, by one of the nodes. */
export class UpgradeTasks extends Context.Service<
  UpgradeTasks,
  {
    readonly isDone: (name: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Records that a task is done; true only for the first call among all nodes. */
    readonly finish: (name: string) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/accounts/ports/UpgradeTasks") {}
