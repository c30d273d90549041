import type { keyFields } from "@postern/core/rules";
import { Context } from "effect";
import type { NeededScope } from "./scopes.ts";

/** The fields of a service key that decide what a request may do. */
export interface PrincipalKey {
  /** Present if the key stands for a grant of an assistant. */
  readonly kind?: "grant";
  readonly id: string;
  readonly name: string;
  readonly application: string;
  /** The accounts that the key reaches; null for all. */
  readonly accounts: ReadonlyArray<string> | null;
  readonly sendPerDay: number | null;
  /** The policy for sending without an approval; null or absent if the key has none. */
  readonly sendPolicy?: typeof keyFields.sendPolicy.Type | null;
  /** The address for notices about the application's webhook endpoints; null for none. */
  readonly notify: string | null;
}

/** The sender of a request whose credential was accepted, and the account of the request. */
export class CurrentPrincipal extends Context.Service<
  CurrentPrincipal,
  {
    /** The account of the request; null if the operation does not concern a single account. */
    readonly account: string | null;
    /** The id of the session; empty for a key, and for a request that the host of an embedded service authenticated. */
    readonly sessionId: string;
    /** The scopes of the credential, for operations whose request decides which scope they need. */
    readonly scopes: ReadonlyArray<NeededScope>;
    /** Whether the operator sent the request, with the admin key. */
    readonly isAdmin: boolean;
    /** The service key; null for a session and for the admin key. */
    readonly key: PrincipalKey | null;
  }
>()("@postern/api/CurrentPrincipal") {}
