import { describe, expect, it } from "vitest";
import { arrivalEvent, type PlacedChange } from "../../src/arrivals/arrival-events.ts";
import type { ArrivedMessage } from "../../src/watch/index.ts";
import type { MailboxChange } from "../../src/watch/neighbours.ts";
import { ME, message, NOW } from "./inbox-in-memory.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

type Change = MailboxChange<ArrivedMessage>;
const INBOX = { id: "inbox", key: "inbox", path: "INBOX" };
const BILLS = { id: "f_bills", key: "bills", path: "Work/Bills" };
const DRAFTS = { id: "drafts", key: "drafts", path: "Drafts" };
const SENT = { id: "sent", key: "sent", path: "Sent" };
const received = (uid: number): Change => ({ _tag: "Received", message: message(uid) });
const moved = (uid: number, fromFolderId: string): Change => ({ _tag: "Moved", message: message(uid), fromFolderId });
const flagged = (uid: number): Change => ({ _tag: "FlagsChanged", message: message(uid), changed: ["flagged"] });

describe("the event of a change", () => {
  const eventOf = (placed: PlacedChange) => {
    const event = arrivalEvent("e", { id: "acc_1", email: ME }, placed, "m1", NOW);
    return { type: event.type, folders: event.folders, data: JSON.parse(new TextDecoder().decode(event.body)).data };
  };
  const summary = {
    from: { name: "", address: "a@x" },
    subject: "S",
    to: [],
    toCount: 0,
    attachments: [],
  } as unknown as ArrivedMessage["summary"];

  it("in Drafts is that of a draft, with a subject only for a new one, unless the draft moved", () => {
    const draft = message(5, { summary });
    const of = (change: Change) => eventOf({ change, folder: DRAFTS, from: undefined });
    const data = { id: "m1", folder: "Drafts", uid: 5, messageId: "<5@x.test>" };
    expect(of({ _tag: "Received", message: draft })).toEqual({
      type: "draft.changed",
      folders: ["drafts"],
      data: { ...data, subject: "S" },
    });
    expect(of({ _tag: "Received", message: message(5) }).data).toEqual({ ...data, subject: "" });
    expect(of({ _tag: "Deleted", message: draft }).data).toEqual({ ...data, subject: "", removed: true });
    expect(of({ _tag: "FlagsChanged", message: draft, changed: [] }).data).toEqual({ ...data, subject: "" });
    expect(eventOf({ change: moved(5, "inbox"), folder: DRAFTS, from: INBOX }).type).toBe("email.moved");
  });

  it("in Sent is that of a message sent by another program", () => {
    const sent = eventOf({ change: { _tag: "Received", message: message(5, { summary }) }, folder: SENT });
    expect(sent).toEqual({
      type: "email.sent",
      folders: ["sent"],
      data: {
        source: "mailbox",
        id: "m1",
        folder: "Sent",
        uid: 5,
        messageId: "<5@x.test>",
        from: "a@x",
        to: [],
        toCount: 0,
        cc: [],
        ccCount: 0,
        subject: "S",
      },
    });
  });

  it("names both folders of a move, and says if a message arrived before the account was followed", () => {
    const move = eventOf({ change: moved(5, "bills"), folder: INBOX, from: BILLS });
    expect([move.type, move.folders, move.data.fromFolder]).toEqual([
      "email.moved",
      ["inbox", "f_bills"],
      "Work/Bills",
    ]);
    const backfill = eventOf({ change: { ...received(5), isBackfill: true } as Change, folder: INBOX });
    expect([backfill.data.backfill, backfill.folders]).toEqual([true, ["inbox"]]);
    expect(eventOf({ change: received(5), folder: INBOX }).data).not.toHaveProperty("backfill");
    const unlabelled = { ...flagged(5), message: message(5, { labels: null }) } as Change;
    expect(eventOf({ change: unlabelled, folder: INBOX }).data).not.toHaveProperty("labels");
  });
});
