import { defineConfig } from "vitest/config";
import { fromSources } from "./from-sources.ts";

/** The contracts of a mailbox on a Dovecot that behaves like the mail server of `PROFILE`: about a minute. */
export default defineConfig({
  ...fromSources,
  test: {
    name: "providers",
    include: ["adapters/imap/test/*.providers.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
