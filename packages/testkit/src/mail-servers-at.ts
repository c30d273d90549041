import { type MailServer, MailServers } from "@postern/core/mail";
import type { Layer } from "effect";

/** Puts every account on one server that a test started, of which it uses one protocol. */
export const mailServersAt = ({
  tls = "plaintext",
  origin = "operator",
  ...address
}: Pick<MailServer, "host" | "port"> & Partial<MailServer>): Layer.Layer<MailServers> => {
  const server = { ...address, tls, origin };
  return MailServers.fixed({ imap: server, smtp: server });
};
