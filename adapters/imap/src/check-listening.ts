import { connect } from "node:net";
import { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";

/**
 * Whether anybody still takes connections there. A session without TLS outlives a Dovecot that was stopped, by half a
 * minute: its process has the socket to itself, while TLS runs through the server's own.
 */
export const checkListening = (host: string, port: number, timeout: number): Effect.Effect<void, MailServerError> =>
  Effect.callback((resume) => {
    const socket = connect({ host, port, timeout });
    const gone = (detail: string) => {
      socket.destroy();
      resume(Effect.fail(new MailServerError({ reason: "unreachable", operation: "connect", detail })));
    };
    socket.once("connect", () => {
      socket.destroy();
      resume(Effect.void);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => gone(error.code ?? error.message));
    socket.once("timeout", () => gone(`no connection within ${timeout} ms`));
    return Effect.sync(() => socket.destroy());
  });
