/* The deliveries of the examples; their endpoint is beside its schema. */

export const ENDPOINT_ID = "we_hyexz0RipaUWL3hN";
export const DELIVERY_ID = "del_0mwrax99l0000004Uo7GULsVVaoENw";

export const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

/** The secret after a rotation. */
export const NEXT_SECRET = "whsec_GBkaGxwdHh8gISIjJCUmJygpKissLS4v";

export const DELIVERY = {
  id: DELIVERY_ID,
  eventId: "evt_0mwrax99hPE5dCUrAcXHsP-kbSkmCOw",
  event: "email.received",
  occurredAt: "2026-03-02T09:30:02.500Z",
  trigger: "event",
  state: "succeeded",
  failures: 0,
  nextAttemptAt: null,
  attempts: [
    {
      n: 1,
      startedAt: "2026-03-02T09:30:02.900Z",
      ms: 100,
      status: 200,
      errorCode: null,
      excerpt: "ok",
      requestHeaders: { "Content-Type": "application/json", "webhook-id": "evt_0mwrax99hPE5dCUrAcXHsP-kbSkmCOw" },
    },
  ],
};

const received = {
  uid: 227,
  from: "friend@postern.test",
  subject: "Invoice 2026-014",
  folder: "INBOX",
  id: "T54ZJTRAIC0P18guRUVOeg",
  messageId: "<1yq78wj.u399v1@postern.test>",
  fromName: "Sam Reed",
  to: ["demo@postern.test"],
  toCount: 1,
  date: "2026-03-02T09:30:02.000Z",
  size: 67120,
  hasAttachments: true,
  unread: true,
  automatic: false,
};

export const EVENT = {
  id: DELIVERY.eventId,
  event: "email.received",
  timestamp: "2026-03-02T09:30:02.500Z",
  account: { id: "acc_hyexz0RipaUWL3hNPE5dCUrAcXHsPkbSkmCOwUo7GULsVVaoENwT54ZJTRAIC0P1", email: "demo@postern.test" },
  data: received,
};
