import { connect } from "node:net";
import { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";

/**
 * Fails unless the server accepts a TCP connection. When Dovecot stops, a session without TLS stays open for half a
 * minute, because the session's process owns the socket. A TLS session passes through the main process of the server.
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
