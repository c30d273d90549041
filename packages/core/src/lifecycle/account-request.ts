import { Effect, Redacted, Schema } from "effect";
import { checkAccount, mailServerOf, type Follow } from "../accounts/neighbours.ts";
import type { MailServerInput } from "../accounts/rules.ts";
import { grantFields } from "../oauth/rules.ts";
import { InputInvalid } from "../shared/index.ts";
import { checkerOf } from "../shared/neighbours.ts";
import type { AccountPatch } from "./AccountPatch.ts";
import type { AccountSecret, NewAccount } from "./NewAccount.ts";

/** A grant in the request of a service key, in place of a password. */
interface RequestedGrant {
  readonly app?: string | undefined;
  readonly refreshToken?: string | undefined;
  readonly delegateOf?: string | undefined;
}

/** The fields of an account in a key's request, not yet validated. */
interface WrittenFields {
  readonly name?: string | null | undefined;
  readonly password?: string | undefined;
  readonly imap?: typeof MailServerInput.Type | undefined;
  readonly smtp?: typeof MailServerInput.Type | undefined;
  readonly tags?: ReadonlyArray<string> | undefined;
  readonly follow?: Follow | undefined;
}

const checkGrant = checkerOf({
  grant: Schema.Struct({
    app: Schema.optional(grantFields.app),
    refreshToken: Schema.optional(grantFields.refreshToken),
    delegateOf: Schema.optional(grantFields.delegateOf),
  }),
});

/** Returns the new account that a key requests; fails with all faults of the request. */
export const newAccountOf = Effect.fnUntraced(function* (
  written: WrittenFields & { readonly email: string; readonly grant?: RequestedGrant | undefined },
): Effect.fn.Return<NewAccount, InputInvalid> {
  yield* checkAccount(written);
  yield* checkGrant(written);
  const { email, name, password, grant, imap, smtp, tags, follow } = written;
  const secret = secretOf(password, grant);
  if (secret === undefined) {
    return yield* new InputInvalid({ errors: [{ field: "password", message: "or grant is required, not both" }] });
  }
  return { email, name: name ?? null, secret, ...serversOf(imap, smtp), tags: tags ?? [], follow };
});

/** Returns the change that a key requests; fails with all faults of the request. */
export const accountPatchOf = Effect.fnUntraced(function* (
  written: WrittenFields & { readonly paused?: boolean | undefined },
): Effect.fn.Return<AccountPatch, InputInvalid> {
  yield* checkAccount(written);
  const { name, tags, paused, password, imap, smtp, follow } = written;
  return {
    ...(name === undefined ? {} : { name }),
    ...(tags === undefined ? {} : { tags }),
    ...(paused === undefined ? {} : { paused }),
    ...(follow === undefined ? {} : { follow }),
    ...(password === undefined ? {} : { password: Redacted.make(password) }),
    ...(imap === undefined && smtp === undefined ? {} : { servers: serversOf(imap, smtp) }),
  };
});

const serversOf = (imap: WrittenFields["imap"], smtp: WrittenFields["smtp"]) => ({
  imap: imap === undefined ? null : mailServerOf(imap),
  smtp: smtp === undefined ? null : mailServerOf(smtp),
});

/** Returns the sign-in data of a new account; undefined if the request contains no credential, or two. */
const secretOf = (password: string | undefined, grant: RequestedGrant | undefined): AccountSecret | undefined => {
  if (password !== undefined && grant === undefined) return { _tag: "Password", password: Redacted.make(password) };
  if (password !== undefined || grant === undefined) return undefined;
  const { app, refreshToken, delegateOf } = grant;
  return {
    _tag: "Named",
    grant: {
      app,
      refreshToken: refreshToken === undefined ? undefined : Redacted.make(refreshToken),
      ...(delegateOf === undefined ? {} : { delegateOf }),
    },
  };
};
