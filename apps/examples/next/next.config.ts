import type { NextConfig } from "next";

/** Postern finds its workers and its console beside its own files, so it is not bundled. */
export default { serverExternalPackages: ["@postern/server"], skipTrailingSlashRedirect: true } satisfies NextConfig;
