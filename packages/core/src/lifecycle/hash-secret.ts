import { Redacted } from "effect";
import type { AccountSecret, NewAccount } from "./NewAccount.ts";

/** Returns the contents of a request with its secret replaced by a keyed hash, because a password could be guessed from a plain hash. */
export const hashSecret = (
  { secret, ...request }: NewAccount,
  hash: (secret: Redacted.Redacted) => string,
): object => ({ ...request, ...grantIn(secret), secret: hash(secretIn(secret)) });

const grantIn = (secret: AccountSecret) =>
  secret._tag === "Named" ? { app: secret.grant.app, delegateOf: secret.grant.delegateOf } : {};

const secretIn = (secret: AccountSecret): Redacted.Redacted => {
  if (secret._tag === "Password") return secret.password;
  return (secret._tag === "Named" ? secret.grant.refreshToken : undefined) ?? Redacted.make("");
};
