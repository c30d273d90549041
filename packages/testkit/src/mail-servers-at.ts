import { type MailServer, MailServers } from "@postern/core/mail";
import type { Layer } from "effect";

/** Every account on one server, which a test started; of its protocols the test uses one. */
export const mailServersAt = ({
  tls = "plaintext",
  origin = "operator",
  ...address
}: Pick<MailServer, "host" | "port"> & Partial<MailServer>): Layer.Layer<MailServers> => {
  const server = { ...address, tls, origin };
  return MailServers.fixed({ imap: server, smtp: server });
};
