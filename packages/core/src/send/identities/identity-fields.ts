import { Effect } from "effect";
import { AgentNotAllowed } from "../../auth/index.ts";
import { ActingAgent } from "../../auth/neighbours.ts";
import { InputInvalid, type StoreUnavailable } from "../../shared/index.ts";
import { checkerOf } from "../../shared/neighbours.ts";
import { identityFields } from "../rules.ts";
import type { IdentityChanged, IdentityNotFound, IdentityUnverified } from "../errors.ts";
import { parseMailbox } from "../addresses.ts";
import type { Identity, IdentityFields, IdentityRecord, NewAlias } from "./Identity.ts";

/** The default fields of a new identity. */
export const BLANK = {
  name: "",
  replyTo: null,
  signatureText: "",
  signatureHtml: "",
  isDefault: false,
  createdAt: 0,
  verification: null,
};

/** The reasons why identities are not changed. */
export type ChangeError =
  | AgentNotAllowed
  | IdentityNotFound
  | IdentityChanged
  | IdentityUnverified
  | InputInvalid
  | StoreUnavailable;

const checkInput = checkerOf(identityFields);

/** Checks the fields of a request to change identities. Refuses an agent with a policy, because a new sender would widen the policy. */
export const checkIdentity = Effect.fnUntraced(function* (fields: Parameters<typeof checkInput>[0]) {
  const agent = yield* ActingAgent;
  if (agent !== null && agent.policy !== null) {
    return yield* new AgentNotAllowed({ detail: "A key or grant with a policy neither makes nor changes identities" });
  }
  return yield* checkInput(fields);
});

/** Returns the stored fields of a new alias from the client's fields and their parsed parts. */
export const newIdentity = (
  { signatureText = "", signatureHtml = "", isDefault = false }: NewAlias,
  fields: Pick<Identity, "name" | "address" | "replyTo">,
) => ({ ...fields, signatureText, signatureHtml, isDefault });

/** Returns an identity without the fields that only the store needs. */
export const viewOf = ({ verification, ...identity }: IdentityRecord): Identity => ({
  id: identity.id,
  name: identity.name,
  address: identity.address,
  replyTo: identity.replyTo,
  signatureText: identity.signatureText,
  signatureHtml: identity.signatureHtml,
  isDefault: identity.isDefault,
  verified: verification === null,
});

/** Returns the parsed parts of an identity for header fields, or all faults. */
export const checkFields = (name: string, address: string, replyTo: string | null) => {
  const own = parseMailbox({ name, address });
  const reply = replyTo === null ? null : parseMailbox({ address: replyTo });
  const errors = [
    ...(own._tag === "Failure"
      ? [{ field: own.failure.includes("address") ? "address" : "name", message: own.failure }]
      : []),
    ...(reply?._tag === "Failure" ? [{ field: "replyTo", message: reply.failure }] : []),
  ];
  return errors.length > 0 || own._tag === "Failure"
    ? Effect.fail(new InputInvalid({ errors }))
    : Effect.succeed({ ...own.success, replyTo: reply?._tag === "Success" ? reply.success.address : null });
};

/** Returns an identity after a client's changes, or all faults of the changed fields. */
export const changeFields = (before: IdentityRecord, fields: IdentityFields) =>
  Effect.map(
    checkFields(
      fields.name ?? before.name,
      before.address,
      fields.replyTo === undefined ? before.replyTo : fields.replyTo,
    ),
    ({ name, replyTo }): IdentityRecord => ({
      ...before,
      name,
      replyTo,
      signatureText: fields.signatureText ?? before.signatureText,
      signatureHtml: fields.signatureHtml ?? before.signatureHtml,
      isDefault: fields.isDefault ?? before.isDefault,
    }),
  );
