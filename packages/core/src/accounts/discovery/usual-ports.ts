import type { NamedServer } from "./NamedServer.ts";

/** Returns an IMAP server with TLS from the start, on its usual port. */
export const imaps = (host: string): NamedServer => ({ host, port: 993, tls: "implicit" });

/** Returns a submission server with TLS from the start, on its usual port. */
export const smtps = (host: string): NamedServer => ({ host, port: 465, tls: "implicit" });

/** Returns a submission server with STARTTLS, on its usual port. */
export const submission = (host: string): NamedServer => ({ host, port: 587, tls: "starttls" });
