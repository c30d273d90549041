import { Effect, Option } from "effect";
import { accountIdOf, type InputInvalid, type Precondition, type StoreUnavailable } from "../shared/index.ts";
import { checkerOf, failOn } from "../shared/neighbours.ts";
import type { Application, ApplicationChanges } from "./Application.ts";
import { ApplicationChanged, ApplicationNotFound } from "./errors.ts";
import type { Applications } from "./ports/Applications.ts";
import { keyFields } from "./rules.ts";

const { application: name, displayName, purpose, colour, logo, notify } = keyFields;
const checkChange = checkerOf({ name, displayName, purpose, colour, logo, notify });

/** Changes the profile of an application, and its address for notices about its endpoints (spec 10.2). Omitted fields stay. */
export const changeApplication = Effect.fnUntraced(function* (
  applications: Applications["Service"],
  application: string,
  changes: ApplicationChanges,
  isWanted: Precondition<Application>,
): Effect.fn.Return<Application, InputInvalid | ApplicationNotFound | ApplicationChanged | StoreUnavailable> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null));
  yield* checkChange({ ...given, name: application });
  if (typeof changes.notify === "string" && Option.isNone(accountIdOf(changes.notify))) {
    yield* failOn([{ field: "notify", message: "must be an e-mail address" }]);
  }
  const decided = yield* applications.change(application, (known) =>
    isWanted(known) ? { ...known, ...changes } : undefined,
  );
  if (Option.isNone(decided)) return yield* new ApplicationNotFound();
  return decided.value ?? (yield* new ApplicationChanged());
});
