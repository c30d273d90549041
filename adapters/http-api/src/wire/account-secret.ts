import type { NewAccount } from "@postern/api";
import type { AccountSecret } from "@postern/core/lifecycle";
import { Redacted } from "effect";

/** Returns how a new account signs in; undefined where the request names no way, or two. */
export const secretOf = (
  password: string | undefined,
  grant: (typeof NewAccount.Type)["grant"],
): AccountSecret | undefined => {
  if ((password === undefined) === (grant === undefined)) return undefined;
  if (password !== undefined) return { _tag: "Password", password: Redacted.make(password) };
  const { app, refreshToken, delegateOf } = grant!;
  return {
    _tag: "Named",
    grant: {
      app,
      refreshToken: refreshToken === undefined ? undefined : Redacted.make(refreshToken),
      ...(delegateOf === undefined ? {} : { delegateOf }),
    },
  };
};
