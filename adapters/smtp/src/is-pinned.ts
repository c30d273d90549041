import { createHash } from "node:crypto";
import type { ConnectionOptions, TLSSocket } from "node:tls";

/** TLS options under which the handshake accepts any certificate, because `isPinned` checks it. */
export const JUDGED_BY_PIN: ConnectionOptions = { rejectUnauthorized: false };

/** Returns whether the peer presented the certificate with this SHA-256. */
export const isPinned = (socket: TLSSocket, sha256: string): boolean => {
  const certificate = socket.getPeerX509Certificate();
  return certificate !== undefined && createHash("sha256").update(certificate.raw).digest("hex") === sha256;
};

/** Returns the error for a certificate other than the pinned one, with Node's code for untrusted certificates. */
export const notPinned = (): Error =>
  Object.assign(new Error("the server presented another certificate than the pinned one"), {
    code: "CERT_NOT_PINNED",
  });
