import { keyFields } from "@postern/core/rules";
import { Context } from "effect";

/** The scopes of service keys (spec 10.2). */
export const Scope = keyFields.scopes.value;

/**
 * A scope that an operation needs: a scope of keys, `admin` for the admin key, or `session` for an operation that no
 * key may use.
 */
export type NeededScope = typeof Scope.Type | "admin" | "session";

/** The scopes of an operation; the credential needs one of them. */
export const NeededScopes = Context.Reference<ReadonlyArray<NeededScope>>("@postern/api/NeededScopes", {
  defaultValue: () => ["session"],
});

const MANAGING = ["accounts:read", "accounts:write"] as const;

/** The scopes of an admin key. */
export const ADMIN_SCOPES: ReadonlyArray<NeededScope> = [...MANAGING, "admin"];

/** The scopes of a session: all scopes except those that manage accounts. */
export const SESSION_SCOPES: ReadonlyArray<NeededScope> = [
  ...Scope.literals.filter((scope) => !MANAGING.some((managing) => managing === scope)),
  "session",
];

/** Returns whether operations with these scopes concern the mailbox of one account. */
export const isAboutMailbox = (needed: ReadonlyArray<NeededScope>): boolean =>
  needed.some((scope) => scope !== "session" && SESSION_SCOPES.includes(scope));
