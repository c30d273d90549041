import { createHmac } from "node:crypto";
import { AccountId } from "@postern/core/shared";
import { writeEvent } from "@postern/core/events";
import { EVENT_TYPES } from "@postern/core/rules";
import { headerSigner, type SigningSecrets } from "@postern/core/webhooks";
import { Redacted } from "effect";

export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
export const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
export const NEXT = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const hmac = {
  sha256:
    (key: Uint8Array) =>
    (...parts: ReadonlyArray<Uint8Array>) => {
      const mac = createHmac("sha256", key);
      for (const part of parts) mac.update(part);
      return Uint8Array.from(mac.digest());
    },
};

/** Returns the body of an event, written by the code of the service. */
export const event = (subject: string) =>
  writeEvent("evt_1", { id: "acc_1", email: AccountId("demo@postern.test") }, "email.received", NOW, {
    ...EVENT_TYPES["email.received"].sample,
    subject,
  });

export const signed = (body: Uint8Array, next: SigningSecrets["next"] = null, now = NOW) =>
  headerSigner(hmac)(
    { id: "evt_1", type: "email.received", body, attempt: 1 },
    { current: Redacted.make(SECRET), next },
    now,
  );
