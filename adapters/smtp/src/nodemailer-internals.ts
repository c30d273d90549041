import type { Socket } from "node:net";
import type { Transform } from "node:stream";
import { TLSSocket } from "node:tls";
import type { Recording } from "@postern/core/accounts";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { isPinned, notPinned } from "./is-pinned.ts";
import { FLOOD, type SmtpError } from "./smtp-failure.ts";

/** Undocumented members of nodemailer 10.6.0; check them at every upgrade. */
interface Internals {
  _supportedExtensions: Array<string>;
  _maxAllowedSize: number;
  _socket: Socket | false | null;
  _currentDataStream: Transform | false;
  _sendCommand: (command: string, masked?: string) => void;
  _createSendStream: (done: unknown) => Transform & { readonly outByteCount: number };
  _remainder: string;
  _responseQueue: Array<string>;
  _responseActions: ReadonlyArray<unknown>;
  _actionDATA: (reply: string, done: unknown) => void;
  _onData: (chunk: Buffer) => void;
  _onResponseTooLarge: () => void;
  _ehloLines?: ReadonlyArray<string>;
  _onError: (error: Error, code: string, response: false, command: string) => void;
  _upgradeConnection: (done: (error: Error | null, secured?: boolean) => void) => void;
  _envelope: Envelope | false;
}

interface Envelope {
  readonly accepted: ReadonlyArray<string>;
  readonly rejectedErrors: ReadonlyArray<EnvelopeError>;
  readonly mailError?: Error;
}

interface EnvelopeError extends Error {
  readonly recipient?: string;
  readonly response?: string;
}

const internals = (connection: SMTPConnection): Internals => connection as unknown as Internals;

/**
 * Makes an attempt fail with the refusal if the server refuses the sender or all recipients but accepts DATA, which
 * PIPELINING sends in the same write. Otherwise nodemailer would submit an empty message, or close without an error.
 */
export const withoutEmptyMessages = (connection: SMTPConnection): void => {
  const inside = internals(connection);
  const take = inside._actionDATA.bind(connection);
  inside._actionDATA = (reply, done) => {
    const { mailError, accepted } = envelopeAnswers(connection);
    const isRefused = mailError !== undefined || accepted.length === 0;
    take(isRefused ? "554 no recipients" : reply, done);
  };
};

/** Maximum number of unsolicited replies that may wait. */
const MAX_REPLIES = 16;

/**
 * Makes a connection fail if the server sends a reply larger than nodemailer's `maxResponseSize`, or unsolicited
 * replies, which nodemailer would collect. So a command gets exactly one bounded reply.
 */
export const boundReplies = (connection: SMTPConnection): void => {
  const inside = internals(connection);
  const fail = (what: string): void => {
    inside._remainder = "";
    inside._responseQueue = [];
    inside._onError(new Error(what), FLOOD, false, "CONN");
  };
  inside._onResponseTooLarge = () => fail("the server sent a reply that is too large");
  const take = inside._onData.bind(connection);
  inside._onData = (chunk) => {
    take(chunk);
    if (inside._responseQueue.length <= inside._responseActions.length + MAX_REPLIES) return;
    fail("the server sent replies to no command");
  };
};

/** Records the traffic of a new connection, but only the size of messages. */
export const record = (connection: SMTPConnection, recording: Recording): void => {
  const inside = internals(connection);
  const send = inside._sendCommand.bind(connection);
  inside._sendCommand = (command, masked) => {
    recording.sent(Buffer.from(`${masked ?? command}\r\n`));
    send(command, masked);
  };
  const take = inside._onData.bind(connection);
  inside._onData = (chunk) => {
    recording.received(chunk);
    take(chunk);
  };
  const createStream = inside._createSendStream.bind(connection);
  inside._createSendStream = (done) => {
    const stream = createStream(done);
    stream.once("end", () => recording.sentContents(stream.outByteCount));
    return stream;
  };
  connection.on("error", ({ code, message }: NodeJS.ErrnoException) => recording.note(`error ${code}: ${message}`));
  const close = connection.close.bind(connection);
  let isOurs = false;
  connection.close = () => {
    isOurs = true;
    close();
  };
  connection.once("end", () => recording.note(isOurs ? "closed by Postern" : "closed by the server or the network"));
};

/** Notes how a recorded connection is encrypted. */
export const noteEncryption = (connection: SMTPConnection, recording: Recording): void => {
  const { _socket: socket } = internals(connection);
  if (!(socket instanceof TLSSocket)) return recording.note("not encrypted");
  const trust = socket.authorized ? "trusted by its authority" : "not trusted by an authority";
  recording.note(`${socket.getProtocol()} ${socket.getCipher().standardName}, certificate ${trust}`);
};

/** Makes a connection fail after a TLS handshake, before it sends anything, unless the certificate is the pinned one. */
export const requirePinned = (connection: SMTPConnection, sha256: string): void => {
  const inside = internals(connection);
  const upgrade = inside._upgradeConnection.bind(connection);
  inside._upgradeConnection = (done) =>
    upgrade((error, secured) => {
      const { _socket: socket } = inside;
      if (error || (socket instanceof TLSSocket && isPinned(socket, sha256))) done(error, secured);
      else inside._onError(notPinned(), "ESOCKET", false, "CONN");
    });
};

/** Returns the lines of the last answer to EHLO that the session used, without their codes. */
export const ehloLines = (connection: SMTPConnection): ReadonlyArray<string> => internals(connection)._ehloLines ?? [];

/** Returns how much the server has sent on this connection. */
export const amountReceived = (connection: SMTPConnection): NonNullable<SmtpError["heard"]> =>
  connection.lastServerResponse ? "a line" : internals(connection)._remainder === "" ? "nothing" : "half a line";

type Extension = "SMTPUTF8" | "SIZE" | "DSN" | "PIPELINING";

/** Makes a connection wait for the reply to each command, even if the server announced PIPELINING. */
export const withoutPipelining = (connection: SMTPConnection): void => {
  const inside = internals(connection);
  inside._supportedExtensions = inside._supportedExtensions.filter((name) => name !== "PIPELINING");
};

export const supports = (connection: SMTPConnection, extension: Extension): boolean =>
  internals(connection)._supportedExtensions.includes(extension);

/** Returns the maximum size of a message in bytes, if the server announced one (RFC 1870). */
export const sizeLimit = (connection: SMTPConnection): number | undefined =>
  internals(connection)._maxAllowedSize || undefined;

/** Returns the replies to the sender and the recipients of the current message. */
export const envelopeAnswers = (connection: SMTPConnection): Envelope => {
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
