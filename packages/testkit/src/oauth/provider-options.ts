/** The refresh token in the answer to a refresh, and whether the presented one stays valid. */
export type Rotation =
  /** A new token; the old one is used up, and using it again ends the whole grant. */
  | "strict"
  /** A new token; the old one stays valid. */
  | "lenient"
  /** No new token; the old one stays valid. */
  | "none";

/** An answer that replaces that of an endpoint. */
export type ScriptedAnswer =
  | { readonly _tag: "Silence" }
  | { readonly _tag: "Cut" }
  | {
      readonly _tag: "Answer";
      readonly status: number;
      readonly type?: string;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

export type ProviderEndpoint = "discovery" | "keys" | "token" | "device";

/** The behaviour of a provider; each field has a default. */
export interface ProviderBehaviour {
  /** The lifetime of an access token in seconds; 3600 by default. */
  readonly lifetime?: number;
  /** Milliseconds before each answer of the token endpoint; 0 by default. */
  readonly delay?: number;
  readonly rotation?: Rotation;
  /** A refusal of every token request (RFC 6749, 5.2). */
  readonly refusal?: { readonly error: string; readonly error_description?: string };
  readonly answers?: { readonly [E in ProviderEndpoint]?: ScriptedAnswer };
  /** Replacements of claims of identity tokens; undefined removes a claim. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Whether identity tokens are signed with a key that the provider does not publish. */
  readonly isForged?: boolean;
}

/** The kind of provider that is imitated. */
export type ProviderKind = "oidc" | "google" | "microsoft";

export const SCRIPTED = {
  silence: { _tag: "Silence" },
  cut: { _tag: "Cut" },
  html: { _tag: "Answer", status: 200, type: "text/html", body: "<html><title>Sign in to the network</title></html>" },
  busy: { _tag: "Answer", status: 503, type: "text/html", body: "busy", headers: { "retry-after": "7" } },
  throttled: {
    _tag: "Answer",
    status: 429,
    body: JSON.stringify({ error: "invalid_grant" }),
    headers: { "retry-after": "30" },
  },
  endless: { _tag: "Answer", status: 200, body: `{"access_token":"${"x".repeat(100_000)}"}` },
  redirect: { _tag: "Answer", status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } },
} as const satisfies Readonly<Record<string, ScriptedAnswer>>;
