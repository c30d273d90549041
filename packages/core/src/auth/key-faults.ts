import { Option } from "effect";
import { accountIdOf, type FieldFault } from "../shared/index.ts";
import { faultsBy } from "../shared/neighbours.ts";
import type { KeyRequest } from "./KeyRequest.ts";
import { isNetwork } from "./network-text.ts";
import { keyFields } from "./rules.ts";

const faultsOf = faultsBy({
  name: keyFields.name,
  application: keyFields.application,
  scopes: keyFields.scopes,
  accounts: keyFields.accounts,
  networks: keyFields.networks,
  sendPerDay: keyFields.sendPerDay,
  sendPolicy: keyFields.sendPolicy,
  notify: keyFields.notify,
});

/** Returns the faults of a requested key by field (spec 10.2); `now` in epoch milliseconds. */
export const keyFaults = (
  { name, application, scopes, accounts, networks, expiresAt, sendPerDay, sendPolicy = null, notify }: KeyRequest,
  now: number,
): ReadonlyArray<FieldFault> => {
  const fault = (isGood: boolean, field: string, message: string) => (isGood ? [] : [{ field, message }]);
  const given = { application, accounts, networks, sendPerDay, sendPolicy, notify };
  const faults = faultsOf({
    name,
    scopes,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
  });
  const isFaulty = new Set(faults.map(({ field }) => field));
  const others = [
    ...(networks ?? []).flatMap((text, n) =>
      fault(isNetwork(text), `networks.${n}`, "must be an address or a block (CIDR)"),
    ),
    ...fault(expiresAt === null || expiresAt > now, "expiresAt", "must be in the future"),
    ...fault(notify === null || Option.isSome(accountIdOf(notify)), "notify", "must be an e-mail address"),
  ];
  return [...faults, ...others.filter(({ field }) => !isFaulty.has(field))];
};
