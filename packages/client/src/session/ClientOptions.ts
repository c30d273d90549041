import type { SessionTokens } from "./SessionTokens.ts";
import type { RetryOptions } from "./with-retries.ts";

/** Options of a client that keeps the tokens of its session. */
export interface ClientOptions extends RetryOptions {
  /** Such as `https://mail.example.com`. */
  readonly baseUrl: string;
  /** Of an earlier sign-in. */
  readonly tokens?: SessionTokens | undefined;
  /** Called with every new pair, and with null when the session has ended: keep them where they outlive the process. */
  readonly onTokens?: ((tokens: SessionTokens | null) => void) | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}
