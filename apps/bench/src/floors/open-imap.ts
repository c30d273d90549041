import { ImapFlow } from "imapflow";

/** Opens a connection of imapflow, without TLS and its own IDLE. */
export const openImap = async (user: string, port: number, pass: string): Promise<ImapFlow> => {
  const client = new ImapFlow({
    host: "127.0.0.1",
    port,
    secure: false,
    doSTARTTLS: false,
    logger: false,
    disableAutoIdle: true,
    auth: { user, pass },
  });
  client.on("error", () => {});
  await client.connect();
  return client;
};
