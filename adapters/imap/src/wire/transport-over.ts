import type { Socket } from "node:net";
import { connect, type ConnectionOptions } from "node:tls";
import type { ImapFlowOptions } from "imapflow";
import { isPinned, JUDGED_BY_PIN, notPinned } from "./is-pinned.ts";

type Transport = NonNullable<ImapFlowOptions["transport"]>;
type Destination = Parameters<NonNullable<Transport["upgrade"]>>[1];

/** Returns a transport over an open socket, with TLS from the start or by STARTTLS; `pin` as in `MailServer`. */
export const transportOver = (socket: Socket, pin: string | undefined, tlsOptions: ConnectionOptions): Transport => {
  const secure = ({ host, servername }: Destination, onSecure: () => void) => {
    const secured = connect(
      {
        ...(servername ? { servername } : {}),
        ...tlsOptions,
        ...(pin === undefined ? {} : JUDGED_BY_PIN),
        host,
        socket,
      },
      () => (pin === undefined || isPinned(secured, pin) ? onSecure() : secured.destroy(notPinned())),
    );
    return secured;
  };
  return {
    connect: (destination, onConnect) => {
      if (destination.secure) return secure(destination, onConnect);
      setImmediate(onConnect);
      return socket;
    },
    upgrade: (_, destination, onSecure) => secure(destination, onSecure),
  };
};
