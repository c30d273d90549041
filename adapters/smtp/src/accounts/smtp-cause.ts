import { type ConnectionCause, refusalCause, tokenRefusalCause } from "@postern/core/accounts";
import { AddressDenied, HostUnresolved } from "@postern/core/shared";
import { FLOOD, type SmtpError, UNTRUSTED_CODE } from "../smtp-failure.ts";

const REFUSED = /^E(CONNREFUSED|HOSTUNREACH|NETUNREACH|ADDRNOTAVAIL|ACCES)$/;
const TLS = /^(EPROTO|ERR_SSL|ERR_TLS)/;

/**
 * Returns why a connection to an SMTP server could not be opened or signed in (spec 10.3); `refusal` finds the cause of
 * a refused sign-in from the server's text.
 */
export const causeOf = (
  error: SmtpError | AddressDenied | HostUnresolved,
  refusal: (text: string) => ConnectionCause = tokenRefusalCause,
): ConnectionCause => {
  if (error instanceof AddressDenied) return "address_denied";
  if (error instanceof HostUnresolved) return error.reason === "dns_timeout" ? "timeout" : "not_found";
  const { code, command, heard, originalCode = "", response } = error;
  if (UNTRUSTED_CODE.test(originalCode)) return "certificate_untrusted";
  if (TLS.test(originalCode) || /before secure TLS connection/.test(error.message)) return "tls_failed";
  if (code === FLOOD) return "server_flood";
  if (code === "ETIMEDOUT") return heard === "half a line" ? "not_a_mail_server" : "timeout";
  if (code === "EAUTH") return response ? refusal(response) : "protocol";
  if (code === "EDNS") return "not_found";
  if (REFUSED.test(originalCode)) return "refused";
  if (command === "STARTTLS") return response ? "starttls_missing" : "tls_failed";
  if (code === "ETLS") return "tls_failed";
  if (command === "CONN") return response ? causeOfGreeting(response) : heard === "nothing" ? "refused" : "protocol";
  return "protocol";
};

/** Returns the cause of an SMTP greeting other than 220, which refuses the client. */
const causeOfGreeting = (greeting: string): ConnectionCause => {
  if (!/^[245]\d\d([ -]|$)/.test(greeting)) return "not_a_mail_server";
  const cause = refusalCause({ text: greeting, mechanisms: [] });
  return cause === "auth_refused" ? "refused" : cause;
};
