import { Option } from "effect";
import { accountIdOf } from "../shared/index.ts";
import type { KeyRequest } from "./KeyRequest.ts";

const MAX_NAME_CHARS = 200;

/** Returns what is wrong with the key to make (spec 10.2), by field; `now` in epoch milliseconds. */
export const keyFaults = (
  { name, application, scopes, expiresAt, sendPerDay, notify }: KeyRequest,
  now: number,
): ReadonlyArray<{ readonly field: string; readonly message: string }> => {
  const fault = (isGood: boolean, field: string, message: string) => (isGood ? [] : [{ field, message }]);
  const isName = (text: string) => text !== "" && text.length <= MAX_NAME_CHARS;
  const named = `must have 1 to ${MAX_NAME_CHARS} characters`;
  return [
    ...fault(isName(name), "name", named),
    ...fault(application === null || isName(application), "application", named),
    ...fault(scopes.length > 0, "scopes", "must name at least one scope"),
    ...fault(expiresAt === null || expiresAt > now, "expiresAt", "must be in the future"),
    ...fault(
      sendPerDay === null || (Number.isInteger(sendPerDay) && sendPerDay >= 1),
      "sendPerDay",
      "must be a whole number from 1",
    ),
    ...fault(notify === null || Option.isSome(accountIdOf(notify)), "notify", "must be an e-mail address"),
  ];
};
