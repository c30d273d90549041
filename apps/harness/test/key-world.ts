import { type Harness, HARNESS_ADMIN_KEY } from "@postern/harness";
import { Effect } from "effect";
import { call } from "./call.ts";

export const DEMO = "demo@postern.test";

/** Every scope of a service key. */
export const ALL_SCOPES = [
  "accounts:read",
  "accounts:write",
  "mail:read",
  "mail:write",
  "mail:organize",
  "mail:delete",
  "mail:draft",
  "mail:send",
  "approvals",
  "events",
];

/** A request with the admin key. */
export const asAdmin = (world: Harness, method: string, path: string, json?: unknown) =>
  call(world, method, path, { token: HARNESS_ADMIN_KEY, ...(json === undefined ? {} : { json }) });

/** Makes a service key; with every scope and for all accounts, by default. */
export const makeKey = Effect.fnUntraced(function* (world: Harness, more: object = {}) {
  const { body } = yield* asAdmin(world, "POST", "/api/keys", { name: "test", scopes: ALL_SCOPES, ...more });
  if (body.ok !== true) return yield* Effect.die(new Error(JSON.stringify(body)));
  return body.data as { readonly id: string; readonly key: string; readonly application: string };
});

/** A request with a service key, by default about the demo account. */
export const asKey = (
  world: Harness,
  key: string,
  method: string,
  path: string,
  { account = DEMO, json }: { readonly account?: string; readonly json?: unknown } = {},
) =>
  call(world, method, path, {
    token: key,
    headers: { "postern-account": account },
    ...(json === undefined ? {} : { json }),
  });
