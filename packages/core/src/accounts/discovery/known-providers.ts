import { HOSTING_PROVIDERS } from "./hosting-providers.ts";
import type { KnownProvider } from "./KnownProvider.ts";
import { MAILBOX_PROVIDERS } from "./mailbox-providers.ts";
import { NATIONAL_PROVIDERS } from "./national-providers.ts";

/**
 * The built-in providers. Servers and user names follow Thunderbird's provider database and the providers' help pages;
 * `mx` is empty if customers with their own domain sign in with another address.
 */
export const KNOWN_PROVIDERS: ReadonlyArray<KnownProvider> = [
  ...MAILBOX_PROVIDERS,
  ...NATIONAL_PROVIDERS,
  ...HOSTING_PROVIDERS,
];
