import { defineConfig } from "vitest/config";
import { fromSources } from "./from-sources.ts";

/** The contracts of a mailbox on a Dovecot that behaves like the mail server of `PROFILE`: about a minute. */
export default defineConfig({
  ...fromSources,
  test: {
    name: "providers",
    include: ["adapters/imap/test/*.providers.ts"],
    // A loaded machine took more than a minute for the searches of one profile.
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
