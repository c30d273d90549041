import type { Socket } from "node:net";
import type { Transform } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";

/** What we look at in nodemailer 10.6.0 beyond what it promises; an upgrade looks here first. */
interface Internals {
  _supportedExtensions: Array<string>;
  _maxAllowedSize: number;
  _socket: Socket | false | null;
  _currentDataStream: Transform | false;
  _envelope: { accepted: ReadonlyArray<string>; rejectedErrors: ReadonlyArray<EnvelopeError> } | false;
}

interface EnvelopeError extends Error {
  readonly recipient?: string;
  readonly response?: string;
}

const internals = (connection: SMTPConnection): Internals => connection as unknown as Internals;

/**
 * Has each command wait for the answer to the one before. With PIPELINING nodemailer sends DATA along with the
 * recipients, and an empty message where every one of them is refused and the server takes DATA all the same.
 */
export const withoutPipelining = (connection: SMTPConnection): void => {
  const inside = internals(connection);
  inside._supportedExtensions = inside._supportedExtensions.filter((name) => name !== "PIPELINING");
};

export const supports = (connection: SMTPConnection, extension: "SMTPUTF8" | "SIZE" | "DSN"): boolean =>
  internals(connection)._supportedExtensions.includes(extension);

/** Bytes the server takes at most, where it has said so (RFC 1870). */
export const sizeLimit = (connection: SMTPConnection): number | undefined =>
  internals(connection)._maxAllowedSize || undefined;

/** Who was accepted and what was said to the others, of the message being sent. */
export const envelopeAnswers = (connection: SMTPConnection) => {
  const envelope = internals(connection)._envelope;
  return envelope === false ? { accepted: [], rejectedErrors: [] } : envelope;
};

/** Bytes of the message that are still in this process. */
export const unwrittenBytes = (connection: SMTPConnection): number => {
  const { _socket: socket, _currentDataStream: data } = internals(connection);
  return (data ? data.readableLength + data.writableLength : 0) + (socket ? socket.writableLength : 0);
};

/** How long the connection may be silent from here on, in milliseconds. */
export const setSilenceTimeout = (connection: SMTPConnection, millis: number): void => {
  const { _socket: socket } = internals(connection);
  if (socket) socket.setTimeout(millis);
};

export const isAlive = (connection: SMTPConnection): boolean => {
  const { _socket: socket } = internals(connection);
  return !connection.destroyed && !!socket && !socket.destroyed && socket.writable;
};
