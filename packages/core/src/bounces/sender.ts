import { findAddresses } from "./mail-address.ts";
import { type HeaderField, headerOf } from "../mail/index.ts";
import { headersOf } from "../mail/neighbours.ts";

const DAEMON_LOCAL =
  /^(?:.{0,30}(?:mailer|mail|smtp|delivery|post)?[-_. ]?daemon.{0,20}|post[-_. ]?master.{0,30}|mail[-_.]?deliver(?:y|er)?.{0,20}|mail[-_.]?system|deliver(?:y|ies)?(?:[-_.](?:status|failure|subsystem|notification)s?)?|bounces?|returned|mdaemon|microsoftexchange[0-9a-f]{6,40}|system[-_. ]?administrator|mail[-_.]?admin(?:istrator)?|mmsc?|mta)$/i;
const DAEMON_NAME =
  /mail(?:er)?[- ]?(?:delivery|daemon)|delivery (?:sub)?system|mail (?:sub)?system|postmaster|system administrator|mail administrator|internet mail delivery|mail transport|mailer|microsoft outlook$|delivery (?:status|notification|failure)|メール配信|系统退信|系統退信/i;

/** Returns whether the From field names a mail system. */
export const isFromDaemon = (headers: ReadonlyArray<HeaderField>): boolean => {
  const from = headerOf(headers, "From").slice(0, 500);
  const address = findAddresses(from, 1)[0];
  const local = address === undefined ? bareLocal(from) : address.address.slice(0, address.address.lastIndexOf("@"));
  const name = address === undefined ? from : from.slice(0, address.start);
  return DAEMON_LOCAL.test(local.replaceAll('"', "")) || DAEMON_NAME.test(name.replaceAll(/["<]/g, "").trim());
};

/** Returns the local part of a From field without an address: `MAILER-DAEMON (Mail Delivery System)`, `<>`. */
const bareLocal = (from: string): string =>
  /^[\s"<]{0,5}([A-Za-z_-]{1,40})/.exec(from)?.[1] ?? (/^<?>?$/.test(from.trim()) ? "mailer-daemon" : "");

/** Returns whether the envelope had no sender (RFC 5321, 4.5.5). */
export const hasNullSender = (headers: ReadonlyArray<HeaderField>): boolean =>
  /^<(?:\s?|mailer-daemon(?:@[^<>]{0,255})?)>$/i.test(headerOf(headers, "Return-Path"));

/** Returns the recipients of the report, including the sender of the returned message. A failed recipient is never among them. */
export const ownAddresses = (headers: ReadonlyArray<HeaderField>): ReadonlyArray<string> =>
  ["To", "Delivered-To", "X-Original-To", "Envelope-To"]
    .flatMap((name) => headersOf(headers, name))
    .flatMap((value) => findAddresses(value, 20).map(({ address }) => address));
