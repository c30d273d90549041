import { ImapFlow } from "imapflow";

export interface Mailbox {
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** Opens a connection of imapflow to this machine, without TLS and its own IDLE. */
export const connectImap = async ({ port, user, password }: Mailbox): Promise<ImapFlow> => {
  const client = new ImapFlow({
    host: "127.0.0.1",
    port,
    secure: false,
    doSTARTTLS: false,
    logger: false,
    disableAutoIdle: true,
    auth: { user, pass: password },
  });
  client.on("error", () => {});
  await client.connect();
  return client;
};
