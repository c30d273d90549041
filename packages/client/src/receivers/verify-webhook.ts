import type { EventBody, EventOf, EventType } from "../events/MailEvent.ts";
import { signatureMatches } from "./signature-matches.ts";
import { WebhookRejected } from "./WebhookRejected.ts";

/** An event of one type, as an endpoint receives it. */
export interface WebhookEventOf<Type extends EventType> extends EventBody<Type> {
  /** The account of the event; null only in `webhook.disabled`, for an endpoint of an application. */
  readonly account: EventOf<Type>["account"] | (Type extends "webhook.disabled" ? null : never);
  /** True for a sample event, which `POST /api/settings/webhooks/{id}/test` sends. */
  readonly test?: boolean;
}

/** An event as an endpoint receives it. `event` determines the type of `data`. */
export type WebhookEvent = { readonly [Type in EventType]: WebhookEventOf<Type> }[EventType];

/** A webhook to verify. */
export interface WebhookRequest {
  /** The body, byte for byte as received, because parsing and serialising it could change it. */
  readonly body: string | Uint8Array;
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>;
  /** The endpoint's secret (`whsec_…`), or several secrets during a rotation. */
  readonly secret: string | ReadonlyArray<string>;
  /**
   * `standard` checks the Standard Webhooks headers, which also sign the time and the id. `service` checks only
   * `X-Service-Signature`, which signs only the body, so an attacker could repeat a recorded request.
   */
  readonly scheme?: "standard" | "service";
  /** The tolerated difference between the sender's clock and this one in seconds, for `standard`; 300 by default. */
  readonly tolerance?: number;
  /** The current time in epoch milliseconds; by default the time of the system. */
  readonly now?: number;
}

const TOLERANCE_SECONDS = 300;
/** Maximum number of signatures that are checked. A rotation produces fewer, and each check costs a hash. */
const MAX_SIGNATURES = 10;

/**
 * Reads a webhook that is signed with one of the endpoint's secrets (spec 7.1); otherwise rejects with
 * `WebhookRejected`. Compares in constant time. The function needs only Web Crypto.
 */
export const verifyWebhook = async (request: WebhookRequest): Promise<WebhookEvent> => {
  const secrets = typeof request.secret === "string" ? [request.secret] : request.secret;
  const body = typeof request.body === "string" ? utf8(request.body) : request.body;
  const read = headerOf(request.headers);
  const believed =
    request.scheme === "service"
      ? await isSignedByService(read, secrets, body)
      : await isSignedByStandard(read, secrets, body, request);
  if (!believed) throw new WebhookRejected("signature", "The webhook is signed with none of the secrets.");
  return eventOf(body);
};

/** Returns a header by its lower-case name. */
type Read = (name: string) => string | null;

const requireHeader = (read: Read, name: string): string => {
  const value = read(name);
  if (value === null || value === "") throw new WebhookRejected("missing", `The header ${name} is missing.`);
  return value;
};

const isSignedByService = async (read: Read, secrets: ReadonlyArray<string>, body: Uint8Array): Promise<boolean> => {
  const headers = [requireHeader(read, "x-service-signature"), read("x-service-signature-next") ?? ""];
  const signatures = headers.flatMap((header) => {
    const hex = /^sha256=([0-9a-f]{64})$/.exec(header)?.[1];
    return hex === undefined ? [] : [Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))];
  });
  return signatureMatches(secrets.map(utf8), signatures, body);
};

const isSignedByStandard = async (
  read: Read,
  secrets: ReadonlyArray<string>,
  body: Uint8Array,
  { tolerance = TOLERANCE_SECONDS, now = Date.now() }: WebhookRequest,
): Promise<boolean> => {
  const id = requireHeader(read, "webhook-id");
  const timestamp = requireHeader(read, "webhook-timestamp");
  const signature = requireHeader(read, "webhook-signature");
  const seconds = /^\d{1,15}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(Math.floor(now / 1000) - seconds) <= tolerance)) {
    throw new WebhookRejected("timestamp", `The webhook's time ${timestamp} is more than ${tolerance} s from now.`);
  }
  const signatures = signature.split(" ", MAX_SIGNATURES).flatMap((versioned) => {
    const base64 = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(versioned)?.[1];
    return base64 === undefined ? [] : [decodeBase64(base64)];
  });
  const signed = utf8(`${id}.${timestamp}.`);
  const message = new Uint8Array(signed.length + body.length);
  message.set(signed);
  message.set(body, signed.length);
  return signatureMatches(
    secrets.map((secret) => decodeBase64(secret.replace(/^whsec_/, ""))),
    signatures,
    message,
  );
};

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const decodeBase64 = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));

const headerOf = (headers: WebhookRequest["headers"]): Read => {
  const values =
    headers instanceof Headers
      ? headers
      : new Headers(
          Object.entries(headers).flatMap(([name, value]): ReadonlyArray<[string, string]> =>
            value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(",")]],
          ),
        );
  return (name) => values.get(name);
};

const eventOf = (body: Uint8Array): WebhookEvent => {
  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (isEvent(event)) return event;
  } catch {
    // The check below reports this, like JSON that is not an event.
  }
  throw new WebhookRejected("body", "The webhook's body is no event.");
};

const isEvent = (value: unknown): value is WebhookEvent =>
  typeof value === "object" &&
  value !== null &&
  ["id", "event", "timestamp"].every((name) => typeof Reflect.get(value, name) === "string") &&
  typeof Reflect.get(value, "data") === "object";
