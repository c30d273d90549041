import { Context, type Effect } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";

/** Records which tasks are done after an upgrade. One of the nodes does each task, once. */
export class UpgradeTasks extends Context.Service<
  UpgradeTasks,
  {
    readonly isDone: (name: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Records that a task is done; true only for the first call among all nodes. */
    readonly finish: (name: string) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/accounts/ports/UpgradeTasks") {}
