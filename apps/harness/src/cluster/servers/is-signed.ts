import { createHmac } from "node:crypto";
import type { WebhookPost } from "@postern/core/webhooks";

/** Returns whether the signature of a POST was made with one of these secrets. */
export const isSigned = ({ headers, body }: WebhookPost, secrets: Iterable<string>): boolean =>
  [...secrets].some(
    (secret) => headers["X-Service-Signature"] === `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  );
