import type { SessionTokens } from "./SessionTokens.ts";
import type { RetryOptions } from "./with-retries.ts";

/** The URL of a service, and the `fetch` to reach it. */
interface ServiceOptions extends RetryOptions {
  /** The URL of the service with the path at which it is mounted, such as `https://mail.example.com`. */
  readonly baseUrl: string;
  /** The `fetch` to use; by default the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Options of a client that keeps the tokens of its session. */
export interface ClientOptions extends ServiceOptions {
  /** The tokens of an earlier sign-in. */
  readonly tokens?: SessionTokens | undefined;
  /**
   * Called with every new pair, and with null when the session has ended. Store the tokens where they outlive the
   * process.
   */
  readonly onTokens?: ((tokens: SessionTokens | null) => void) | undefined;
}

/** Options of a client that authenticates with a service key. */
export interface KeyOptions extends ServiceOptions {
  /** A service key (`psk_…`), or the admin key. */
  readonly key: string;
}
