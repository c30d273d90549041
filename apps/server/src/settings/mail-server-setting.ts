import type { MailServer } from "@postern/core/mail";
import { Option } from "effect";
import { type Environment, readVariable, isLoopback, refuse } from "./environment.ts";

/** Returns the mail server that a setting names by its URL; throws `ConfigError`. */
export const mailServer = (
  env: Environment,
  name: string,
  scheme: string,
  ports: { readonly implicit: number; readonly plain: number },
  allowPlaintext: boolean,
): Option.Option<MailServer> => {
  const value = readVariable(env, name);
  if (value === undefined) return Option.none();
  const url = URL.parse(value);
  const implicit = url?.protocol === `${scheme}s:`;
  if (
    url === null ||
    (!implicit && url.protocol !== `${scheme}:`) ||
    url.hostname === "" ||
    url.username ||
    url.password
  ) {
    throw refuse(
      name,
      "cannot be used",
      `${scheme}://host[:port] or ${scheme}s://host[:port], without user or password`,
    );
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return Option.some({
    host,
    port: url.port === "" ? (implicit ? ports.implicit : ports.plain) : Number(url.port),
    origin: "operator",
    tls: implicit ? "implicit" : allowPlaintext || isLoopback(host) ? "plaintext" : "starttls",
  });
};
