import { Effect, Option } from "effect";
import type { AccountDirectory } from "../accounts/index.ts";
import { checkReach } from "../accounts/neighbours.ts";
import type { KeyReach } from "../auth/index.ts";
import { accountIdOf, type FieldFault, type StoreUnavailable } from "../shared/index.ts";
import { checkerOf, failOn } from "../shared/neighbours.ts";
import type { ConnectRequest } from "./ConnectAttempt.ts";
import type { AppNotFound } from "./errors.ts";
import { connectFields } from "./rules.ts";

/** A key's request to connect an account, not yet validated. */
export interface WrittenConnection {
  /** The address; if omitted, the user enters it or the provider reports it. */
  readonly email?: string | undefined;
  /** The id of an app; if omitted, the address determines the app. */
  readonly provider?: string | undefined;
  readonly tags?: ReadonlyArray<string> | undefined;
}

/** The sender of a request for a connection: a key with its reach, or the operator. */
export interface Connector {
  readonly reach: KeyReach | null;
  readonly key: string | null;
}

/** Checks the fields of a request to connect an account or to list apps. */
export const checkConnection = checkerOf(connectFields);

/** Returns the fault of a text that is not an address. */
export const addressFaults = (email: string | undefined): ReadonlyArray<FieldFault> =>
  email === undefined || Option.isSome(accountIdOf(email))
    ? []
    : [{ field: "email", message: "must be an e-mail address" }];

/** Returns the checked request to connect an account. Fails if the account is outside the key's reach, or the app does not exist. */
export const connectRequestOf = Effect.fnUntraced(function* (
  { email, provider, tags }: WrittenConnection,
  { reach, key }: Connector,
  apps: { readonly get: (id: string) => Effect.Effect<unknown, AppNotFound | StoreUnavailable> },
  directory: AccountDirectory["Service"],
  faults: ReadonlyArray<FieldFault> = [],
) {
  yield* failOn([...faults, ...addressFaults(email)]);
  if (provider !== undefined) yield* apps.get(provider);
  const id = email === undefined ? Option.none() : accountIdOf(email);
  if (Option.isSome(id)) yield* checkReach(directory, id.value, tags ?? null, reach);
  const asked: ConnectRequest = {
    address: email ?? null,
    app: provider ?? null,
    tags: tags ?? null,
    reach,
    ...(key === null ? {} : { key }),
  };
  return asked;
});
