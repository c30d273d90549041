import { Schema } from "effect";
import { GrantFault } from "../accounts/neighbours.ts";

/** The reasons why a provider refuses an app. Each reason needs a different correction by the operator. */
export const AppFault = Schema.Literals([
  "client_unknown",
  "client_secret_wrong",
  "client_secret_expired",
  "client_disabled",
  "client_refused",
]);
export type AppFault = typeof AppFault.Type;

/** The fault of a token endpoint's refusal (RFC 6749, section 5.2). */
export type ProviderFault =
  | { readonly _tag: "Grant"; readonly fault: GrantFault }
  | { readonly _tag: "App"; readonly fault: AppFault }
  | { readonly _tag: "Unavailable" };

/** Microsoft's error numbers (AADSTS…), which are more precise than the error code in the same answer. */
const AADSTS: ReadonlyMap<string, GrantFault | AppFault> = new Map<string, GrantFault | AppFault>([
  ["50173", "password_changed"],
  ["700082", "grant_expired"],
  ["70043", "grant_expired"],
  ["70008", "grant_expired"],
  ["700084", "grant_expired"],
  ["50076", "mfa_required"],
  ["50079", "mfa_required"],
  ["50078", "mfa_required"],
  ["65001", "consent_required"],
  ["50057", "grant_revoked"],
  ["7000215", "client_secret_wrong"],
  ["7000222", "client_secret_expired"],
  ["700016", "client_unknown"],
  ["7000112", "client_disabled"],
  ["700027", "client_secret_wrong"],
  ["90002", "client_refused"],
]);

/** The error codes of OAuth2 and OpenID Connect. */
const CODES: ReadonlyMap<string, GrantFault | AppFault> = new Map<string, GrantFault | AppFault>([
  ["invalid_grant", "grant_revoked"],
  ["interaction_required", "mfa_required"],
  ["login_required", "mfa_required"],
  ["consent_required", "consent_required"],
  ["invalid_client", "client_secret_wrong"],
  ["unauthorized_client", "client_refused"],
  ["unsupported_grant_type", "client_refused"],
  ["invalid_scope", "client_refused"],
  ["invalid_request", "client_refused"],
]);

const isGrantFault = Schema.is(GrantFault);

/**
 * Returns the fault in a token endpoint's answer, from its error code and description. An unknown error counts as a
 * failure of the provider, so the grant is kept.
 */
export const providerFault = (error: string | undefined, description: string | undefined): ProviderFault => {
  const number = /AADSTS(\d+)/.exec(description ?? "")?.[1];
  const fault = AADSTS.get(number ?? "") ?? CODES.get(error ?? "");
  if (fault === undefined) return { _tag: "Unavailable" };
  return isGrantFault(fault) ? { _tag: "Grant", fault } : { _tag: "App", fault };
};
