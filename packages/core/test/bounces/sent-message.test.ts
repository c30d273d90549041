import { expect, it } from "vitest";
import { sentMessageOf } from "../../src/bounces/sent-message.ts";
import { outgoing } from "../outgoing.ts";

it("a sent message is identified by its own id and the server's, with the recipients for whom it was submitted", () => {
  const message = outgoing({ "a@y.test": "sent", "b@y.test": "failed", "c@y.test": "queued", "d@y.test": "unknown" });
  const sent = {
    id: "out_1",
    messageIds: ["<out_1@x.test>"],
    envelopeId: "out_1",
    subject: "Hello",
    sentAt: 5,
    recipients: [
      { address: "a@y.test", bounced: false },
      { address: "b@y.test", bounced: true },
      { address: "d@y.test", bounced: false },
    ],
  };
  expect(sentMessageOf({ ...message, createdAt: 5 })).toEqual(sent);
  expect(sentMessageOf({ ...message, createdAt: 5, providerMessageId: "<p1@y.test>" })).toEqual({
    ...sent,
    messageIds: ["<out_1@x.test>", "<p1@y.test>"],
  });
});
