import { Effect, Option } from "effect";
import { type FieldFault, hostNameOf, type InputInvalid, type OpaqueIds } from "../shared/index.ts";
import { checkerOf, failOn } from "../shared/neighbours.ts";
import { millisOf } from "../shared/rules.ts";
import { keyFaults } from "./key-faults.ts";
import type { KeyReach } from "./key-reach.ts";
import type { KeyChanges, KeyRequest } from "./KeyRequest.ts";
import { keyFields } from "./rules.ts";
import type { Scope } from "./scopes.ts";
import type { SendPolicy } from "./SendPolicy.ts";

/** An operator's request for a key: accounts by their ids, the expiry in ISO 8601. */
interface WrittenKey {
  readonly name: string;
  readonly application?: string | undefined;
  readonly scopes: ReadonlyArray<Scope>;
  readonly accounts?: ReadonlyArray<string> | undefined;
  readonly networks?: ReadonlyArray<string> | undefined;
  readonly expiresAt?: string | undefined;
  readonly sendPerDay?: number | undefined;
  readonly sendPolicy?: SendPolicy | undefined;
  readonly notify?: string | undefined;
}

const checkWritten = checkerOf(keyFields);

/** Returns the key that an operator asks for, or all faults of the request; `now` in epoch milliseconds. */
export const keyRequestOf = Effect.fnUntraced(function* (
  written: WrittenKey,
  ids: OpaqueIds["Service"],
  now: number,
): Effect.fn.Return<KeyRequest, InputInvalid> {
  yield* checkWritten(written);
  const { name, application, scopes, accounts, networks, expiresAt, sendPerDay, sendPolicy, notify } = written;
  const [reach, faults] = accounts === undefined ? [null, []] : reachOf(accounts, ids);
  const request = {
    name,
    application: application ?? null,
    scopes: [...new Set(scopes)],
    accounts: reach,
    networks: networks ?? null,
    expiresAt: expiresAt === undefined ? null : millisOf(expiresAt),
    sendPerDay: sendPerDay ?? null,
    ...(sendPolicy === undefined ? {} : { sendPolicy }),
    notify: notify ?? null,
  };
  if (faults.length > 0) {
    // A list without its wrong entries may be empty, although the written one is not.
    yield* failOn([...faults, ...keyFaults(request, now).filter(({ field }) => field !== "accounts")]);
  }
  return request;
});

/** An operator's changes of a key. Omitted fields are unchanged; null removes a limit. */
interface WrittenChanges {
  readonly name?: string;
  readonly scopes?: ReadonlyArray<Scope>;
  readonly accounts?: ReadonlyArray<string> | null;
  readonly networks?: ReadonlyArray<string> | null;
  readonly expiresAt?: string | null;
  readonly sendPerDay?: number | null;
  readonly sendPolicy?: SendPolicy | null;
  readonly notify?: string | null;
}

/** Returns the changes of a key from an operator's request; fails with the faults of single fields. */
export const keyChangesOf = Effect.fnUntraced(function* (
  written: WrittenChanges,
  ids: OpaqueIds["Service"],
): Effect.fn.Return<KeyChanges, InputInvalid> {
  yield* checkWritten(Object.fromEntries(Object.entries(written).filter(([, value]) => value !== null)));
  const { scopes, accounts, expiresAt, ...rest } = written;
  const [reach, faults] = accounts === undefined || accounts === null ? [null, []] : reachOf(accounts, ids);
  yield* failOn(faults);
  return {
    ...rest,
    ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
    ...(accounts === undefined ? {} : { accounts: reach }),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : millisOf(expiresAt) }),
  };
});

const DOMAIN = "*@";
const TAG = /^tag:./;

/** Parses a reach written as ids of accounts, `*@domain` and `tag:name`; returns it with the faults of its entries. */
const reachOf = (
  entries: ReadonlyArray<string>,
  ids: OpaqueIds["Service"],
): readonly [KeyReach, ReadonlyArray<FieldFault>] => {
  const read = entries.map((entry): Option.Option<string> => {
    if (TAG.test(entry)) return Option.some(entry);
    if (!entry.startsWith(DOMAIN)) return ids.account(entry);
    return Option.map(hostNameOf(entry.slice(DOMAIN.length)), (domain) => `${DOMAIN}${domain}`);
  });
  const faults = read.flatMap((entry, n) =>
    Option.isSome(entry)
      ? []
      : [{ field: `accounts.${n}`, message: "must be the id of an account, *@ and a domain, or tag: and a tag" }],
  );
  return [[...new Set(read.flatMap(Option.toArray))], faults];
};
