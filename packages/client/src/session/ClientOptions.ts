import type { SessionTokens } from "./SessionTokens.ts";
import type { RetryOptions } from "./with-retries.ts";

/** Where a service is, and how it is reached. */
interface ServiceOptions extends RetryOptions {
  /** Such as `https://mail.example.com`, with the path that the service is below. */
  readonly baseUrl: string;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Options of a client that keeps the tokens of its session. */
export interface ClientOptions extends ServiceOptions {
  /** Of an earlier sign-in. */
  readonly tokens?: SessionTokens | undefined;
  /** Called with every new pair, and with null when the session has ended: keep them where they outlive the process. */
  readonly onTokens?: ((tokens: SessionTokens | null) => void) | undefined;
}

/** Options of a client that shows a service key. */
export interface KeyOptions extends ServiceOptions {
  /** A service key (`psk_…`), or the admin key. */
  readonly key: string;
}
