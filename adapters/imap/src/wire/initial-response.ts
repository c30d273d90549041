import type { ImapFlow } from "imapflow";
import { internalsOf } from "./imapflow-internals.ts";

/**
 * Makes a new client send name and password with AUTHENTICATE PLAIN if the server takes an initial response (RFC 4959),
 * which saves a round trip. imapflow itself sends an initial response only with a token. If a server still sends a
 * challenge, imapflow answers it as usual.
 */
export const sendInitialResponse = (client: ImapFlow, username: string, password: string): void => {
  const internals = internalsOf(client);
  const exec = internals.exec.bind(client);
  internals.exec = (command, attributes, options) => {
    const mechanism = command === "AUTHENTICATE" ? (attributes as ReadonlyArray<{ value: string }>) : [];
    if (mechanism.length !== 1 || mechanism[0]!.value !== "PLAIN" || !client.capabilities.has("SASL-IR"))
      return exec(command, attributes, options);
    const value = Buffer.from(`\0${username}\0${password}`).toString("base64");
    return exec(command, [...mechanism, { type: "ATOM", value, sensitive: true }], options);
  };
};
