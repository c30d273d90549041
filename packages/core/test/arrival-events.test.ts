import { expect, it } from "vitest";
import { arrivalEvent } from "../src/arrivals/arrival-events.ts";
import { AccountId } from "../src/shared/index.ts";
import type { ArrivedMessage } from "../src/watch/ArrivedMessage.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

const UNREADABLE: ArrivedMessage = {
  uid: 7,
  emailId: null,
  messageId: null,
  size: 100,
  arrivedAt: 0,
  unread: true,
  flagged: false,
  answered: false,
  fields: [],
  summary: null,
};

const dataOf = (message: ArrivedMessage) => {
  const account = { id: "acc_1", email: AccountId("demo@postern.test") };
  const place = { id: "m1", folder: "INBOX" };
  const { body } = arrivalEvent("evt_1", account, { _tag: "Received", message }, place, 0);
  return JSON.parse(new TextDecoder().decode(body)).data;
};

it("announces a message that cannot be read with empty fields [S7.4-2]", () => {
  expect(dataOf(UNREADABLE)).toMatchObject({ uid: 7, id: "m1", from: "", subject: "", to: [], size: 100 });
});

it("says whether a program wrote the message [S6.2-11]", () => {
  const written = { ...UNREADABLE, fields: [["auto-submitted", "auto-replied"] as const] };
  expect([UNREADABLE, written].map((message) => dataOf(message).automatic)).toEqual([false, true]);
});
