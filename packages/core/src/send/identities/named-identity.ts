import { Result } from "effect";
import { addressKey } from "../../mail/index.ts";
import { parseMailbox } from "../addresses.ts";
import { SenderNotAllowed, SendRequestInvalid } from "../errors.ts";
import type { IdentityRecord } from "./Identity.ts";
import { mayBeSender, type SenderPolicy } from "./sender-policy.ts";
import type { NamedAddress } from "../SendRequest.ts";

interface NamedIdentity {
  readonly identity: IdentityRecord;
  /** The name in From. */
  readonly name: string;
}

/** Returns the identity that a request names by its id or an address; the default if it names none. */
export const namedIdentity = (
  known: readonly [own: IdentityRecord, ...others: ReadonlyArray<IdentityRecord>],
  from: string | NamedAddress | undefined,
  policy: SenderPolicy,
): Result.Result<NamedIdentity, SenderNotAllowed | SendRequestInvalid> => {
  const isId = (one: IdentityRecord) => one.id === from;
  if (from === undefined || known.some(isId)) {
    const identity = known.find(from === undefined ? ({ isDefault }) => isDefault : isId) ?? known[0];
    return Result.succeed({ identity, name: identity.name });
  }
  const parsed = parseMailbox(from);
  if (Result.isFailure(parsed)) {
    const message = `${parsed.failure}, or an identity's id`;
    return Result.fail(new SendRequestInvalid({ errors: [{ field: "from", message }] }));
  }
  const { name, address } = parsed.success;
  const identity = known.find((one) => addressKey(one.address) === addressKey(address));
  if (identity === undefined || !mayBeSender(policy, address)) return Result.fail(new SenderNotAllowed());
  return Result.succeed({ identity, name: name === "" ? identity.name : name });
};
