import { type DovecotOptions, profileOf, type Quirk, quirkRewrite } from "@postern/testkit";
import { imapThroughProxy } from "./imap-through-proxy.ts";

/** A server that reports wrong numbers of messages. */
const NONSENSE: ReadonlyArray<Quirk> = [
  ...profileOf("gmail").quirks,
  { kind: "rewrites response", response: /\bMESSAGES \d+/, to: "MESSAGES 7", evidence: "none: no server does this" },
];

/** The ports over a new Dovecot that behaves like the mail server of a profile. */
export const imapLike = (profile: string, dovecot: DovecotOptions = {}) =>
  imapThroughProxy(quirkRewrite(profile === "nonsense" ? NONSENSE : profileOf(profile).quirks), dovecot);
