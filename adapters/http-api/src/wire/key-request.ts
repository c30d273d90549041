import type { NewServiceKey } from "@postern/api";
import type { KeyRequest } from "@postern/core/auth";
import type { OpaqueIds } from "@postern/core/shared";
import { reachOf } from "./account-reach.ts";
import { cidrOf } from "./client-network.ts";
import type { FieldFault } from "./field-faults.ts";

/** Returns the key to make, and the faults of the fields that the contract cannot check. */
export const keyRequest = (
  { name, application, scopes, accounts, networks, expiresAt, sendPerDay, notify }: typeof NewServiceKey.Type,
  ids: OpaqueIds["Service"],
): { readonly request: KeyRequest; readonly faults: ReadonlyArray<FieldFault> } => {
  const reach = accounts === undefined ? undefined : reachOf(accounts, ids);
  const expiry = expiresAt === undefined ? null : Date.parse(expiresAt);
  const faults = [
    ...(reach?.faults ?? []),
    ...(networks ?? []).flatMap((text, n) =>
      cidrOf(text) === undefined ? [{ field: `networks.${n}`, message: "must be an address or a block (CIDR)" }] : [],
    ),
  ];
  const request = {
    name,
    application: application ?? null,
    scopes: [...new Set(scopes)],
    accounts: reach?.reach ?? null,
    networks: networks ?? null,
    expiresAt: expiry,
    sendPerDay: sendPerDay ?? null,
    notify: notify ?? null,
  };
  return { request, faults };
};
