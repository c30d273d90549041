import type { Socket } from "node:net";
import type { Transform } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";

/** Undocumented members of nodemailer 10.6.0; check them at every upgrade. */
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
 * Makes each command wait for the reply to the one before. With PIPELINING nodemailer sends DATA with the recipients,
 * and submits an empty message if all of them are refused but the server accepts DATA.
 */
export const withoutPipelining = (connection: SMTPConnection): void => {
  const inside = internals(connection);
  inside._supportedExtensions = inside._supportedExtensions.filter((name) => name !== "PIPELINING");
};

export const supports = (connection: SMTPConnection, extension: "SMTPUTF8" | "SIZE" | "DSN"): boolean =>
  internals(connection)._supportedExtensions.includes(extension);

/** Maximum size of a message in bytes, if the server announced one (RFC 1870). */
export const sizeLimit = (connection: SMTPConnection): number | undefined =>
  internals(connection)._maxAllowedSize || undefined;

/** Returns the accepted recipients of the current message and the errors of the others. */
export const envelopeAnswers = (connection: SMTPConnection) => {
  const envelope = internals(connection)._envelope;
  return envelope === false ? { accepted: [], rejectedErrors: [] } : envelope;
};

/** Returns the number of bytes of the message still buffered in this process. */
export const unwrittenBytes = (connection: SMTPConnection): number => {
  const { _socket: socket, _currentDataStream: data } = internals(connection);
  return (data ? data.readableLength + data.writableLength : 0) + (socket ? socket.writableLength : 0);
};

/** Sets how long the connection may be silent from now on, in milliseconds. */
export const setSilenceTimeout = (connection: SMTPConnection, millis: number): void => {
  const { _socket: socket } = internals(connection);
  if (socket) socket.setTimeout(millis);
};

export const isAlive = (connection: SMTPConnection): boolean => {
  const { _socket: socket } = internals(connection);
  return !connection.destroyed && !!socket && !socket.destroyed && socket.writable;
};
