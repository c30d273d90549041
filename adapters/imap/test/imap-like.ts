import { type DovecotOptions, profileOf, quirkRewrite } from "@postern/testkit";
import { imapThroughProxy } from "./imap-through-proxy.ts";

/** The ports over a new Dovecot that behaves like the mail server of a profile. */
export const imapLike = (profile: string, dovecot: DovecotOptions = {}) =>
  imapThroughProxy(quirkRewrite(profileOf(profile).quirks), dovecot);
