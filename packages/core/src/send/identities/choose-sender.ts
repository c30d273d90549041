import { Result } from "effect";
import { InputInvalid } from "../../shared/index.ts";
import { addressKey } from "../../mail/index.ts";
import { parseMailbox } from "../addresses.ts";
import { SenderNotAllowed } from "../errors.ts";
import type { NamedAddress } from "../SendRequest.ts";
import type { IdentityRecord } from "./Identity.ts";
import type { Sender } from "./Sender.ts";
import { mayBeSender, type SenderPolicy } from "./sender-policy.ts";

/** Returns the sender that a request names by the id of an identity or an address; the default if it names none. */
export const chooseSender = (
  known: readonly [own: IdentityRecord, ...others: ReadonlyArray<IdentityRecord>],
  from: string | NamedAddress | undefined,
  policy: SenderPolicy,
): Result.Result<Sender, SenderNotAllowed | InputInvalid> => {
  const isId = (one: IdentityRecord) => one.id === from;
  if (from === undefined || known.some(isId)) {
    const identity = known.find(from === undefined ? ({ isDefault }) => isDefault : isId) ?? known[0];
    return senderOf(identity, identity.name);
  }
  const parsed = parseMailbox(from);
  if (Result.isFailure(parsed)) {
    const message = `${parsed.failure}, or an identity's id`;
    return Result.fail(new InputInvalid({ errors: [{ field: "from", message }] }));
  }
  const { name, address } = parsed.success;
  const identity = known.find((one) => addressKey(one.address) === addressKey(address));
  if (identity === undefined || !mayBeSender(policy, address)) return Result.fail(new SenderNotAllowed());
  return senderOf(identity, name === "" ? identity.name : name);
};

/** Returns an identity with the name in From as a sender; fails unless it is verified. */
const senderOf = (
  { address, replyTo, verification }: IdentityRecord,
  name: string,
): Result.Result<Sender, SenderNotAllowed> =>
  verification === null
    ? Result.succeed({
        from: { name, address },
        replyTo: replyTo === null ? [] : [{ name: "", address: replyTo }],
      })
    : Result.fail(new SenderNotAllowed());
