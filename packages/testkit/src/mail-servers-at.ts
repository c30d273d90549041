import { type MailServer, MailServers } from "@postern/core/mail";
import type { Layer } from "effect";

/** Every account on one server, which a test started; of its protocols the test uses one. */
export const mailServersAt = ({
  tls = "plaintext",
  ...address
}: Omit<MailServer, "tls"> & Partial<MailServer>): Layer.Layer<MailServers> => {
  const server = { ...address, tls };
  return MailServers.fixed({ imap: server, smtp: server });
};
