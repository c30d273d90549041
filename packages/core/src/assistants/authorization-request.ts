import { Result } from "effect";
import type { Scope, SendPolicy } from "../auth/neighbours.ts";
import { AuthorizationRefused } from "./errors.ts";

/** The scopes that a person can give an assistant. The scopes in the client's request only decide the preselection. */
export const GRANTABLE_SCOPES = [
  "mail:read",
  "mail:draft",
  "mail:organize",
  "mail:send",
] as const satisfies ReadonlyArray<Scope>;

/** The access level that a person chooses for an assistant (spec 13.3). */
export type AccessLevel = "read" | "draft" | "organize";

const SCOPES_OF_LEVEL: Readonly<Record<AccessLevel, ReadonlyArray<Scope>>> = {
  read: ["mail:read"],
  draft: ["mail:read", "mail:draft"],
  organize: ["mail:read", "mail:draft", "mail:organize"],
};

/**
 * A person's choice: the access level, and as `sendsTo` the recipients to whom the assistant sends without an approval;
 * null if the assistant may not send.
 */
export interface ConsentChoice {
  readonly level: AccessLevel;
  readonly sendsTo: ReadonlyArray<string> | null;
}

/** Returns the rights of a choice. If `sendsTo` is empty, every message needs an approval (spec 13.3). */
export const rightsOfChoice = ({
  level,
  sendsTo,
}: ConsentChoice): { readonly scopes: ReadonlyArray<Scope>; readonly sendPolicy: SendPolicy } => {
  const to = sendsTo ?? [];
  return {
    scopes: sendsTo === null ? SCOPES_OF_LEVEL[level] : [...SCOPES_OF_LEVEL[level], "mail:send"],
    sendPolicy: { to, approval: to.length === 0 ? "always" : "outside" },
  };
};

/** Returns whether a text names an access level. */
export const isAccessLevel = (text: string): text is AccessLevel => Object.hasOwn(SCOPES_OF_LEVEL, text);

/** The parameters of a request for authorization (RFC 6749, 4.1.1; RFC 7636, 4.3; RFC 8707). */
export type AuthorizationParameters = Readonly<Partial<Record<string, string>>>;

/** A checked request for authorization. */
export interface AuthorizationRequest {
  readonly challenge: string;
  /** The preselected level: at most reading and drafts. */
  readonly suggested: AccessLevel;
}

const CHALLENGE = /^[\w-]{43}$/;
const MAX_STATE_CHARS = 2_048;

const refuse = (error: AuthorizationRefused["error"], description: string) =>
  Result.fail(new AuthorizationRefused({ error, description }));

/** Checks a request whose client and redirect URI are known. */
export const readAuthorization = (
  { response_type, code_challenge, code_challenge_method, resource, scope, state }: AuthorizationParameters,
  ownResource: string,
): Result.Result<AuthorizationRequest, AuthorizationRefused> => {
  if (response_type !== "code") return refuse("unsupported_response_type", "response_type must be code");
  if (code_challenge_method !== "S256") return refuse("invalid_request", "code_challenge_method must be S256");
  if (!CHALLENGE.test(code_challenge ?? "")) return refuse("invalid_request", "code_challenge must be a SHA-256");
  if ((state ?? "").length > MAX_STATE_CHARS) return refuse("invalid_request", "state is too long");
  if (resource !== undefined && resource !== ownResource) {
    return refuse("invalid_target", `resource must be ${ownResource}`);
  }
  const asked = scope?.split(" ").filter((one) => one !== "");
  const known = asked?.filter((one) => GRANTABLE_SCOPES.some((grantable) => grantable === one));
  if (known !== undefined && known.length === 0)
    return refuse("invalid_scope", `scope may have ${GRANTABLE_SCOPES.join(" ")}`);
  const isReading = known?.every((one) => one === "mail:read") ?? false;
  return Result.succeed({ challenge: code_challenge!, suggested: isReading ? "read" : "draft" });
};
