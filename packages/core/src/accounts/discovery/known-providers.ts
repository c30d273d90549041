import { HOSTING_PROVIDERS } from "./hosting-providers.ts";
import type { KnownProvider } from "./KnownProvider.ts";
import { MAILBOX_PROVIDERS } from "./mailbox-providers.ts";
import { NATIONAL_PROVIDERS } from "./national-providers.ts";

/**
 * The built-in providers. Servers and user names follow Thunderbird's provider database and the providers' help pages; `mx`
 * is empty where customers with a domain of their own sign in with another address.
 */
export const KNOWN_PROVIDERS: ReadonlyArray<KnownProvider> = [
  ...MAILBOX_PROVIDERS,
  ...NATIONAL_PROVIDERS,
  ...HOSTING_PROVIDERS,
];
