import { describe, expect, it } from "vitest";
import { type EventType, type MailEvent, writeEvent } from "../src/events/index.ts";
import { isInFeed, isTold } from "../src/events/neighbours.ts";
import { AccountId } from "../src/shared/index.ts";

const about = (type: EventType, folders?: ReadonlyArray<string>, standsForMove?: boolean): MailEvent => {
  const account = { id: "acc_1", email: AccountId("me@x.test") };
  const { account: email, ...event } = writeEvent("evt_1", account, "account.added", 0, { email: account.email });
  return { ...event, account: email, type, ...(folders && { folders }), ...(standsForMove && { standsForMove }) };
};
const ALL = null;
const told = (folders: ReadonlyArray<string>, event: MailEvent, events: ReadonlyArray<EventType> | null = ALL) =>
  isTold({ events, folders }, event);

describe("an endpoint or a stream", () => {
  it("gets the events of its folders; * is every folder but Junk and Trash [S7.11-7]", () => {
    const arrival = (folder: string) => about("email.received", [folder]);
    expect(["inbox", "f_1", "junk", "trash"].map((id) => told(["*"], arrival(id)))).toEqual([true, true, false, false]);
    expect(["inbox", "f_1", "junk", "trash"].map((id) => told(["*", "junk"], arrival(id)))[2]).toBe(true);
    expect([told(["inbox"], arrival("f_1")), told(["f_1"], arrival("f_1"))]).toEqual([false, true]);
  });

  it("gets events about no folder, and those of releases without folders as events of INBOX", () => {
    expect(told(["f_1"], about("account.recovered"))).toBe(true);
    expect(told(["f_1"], about("email.sent"))).toBe(true);
    expect([told(["inbox"], about("email.deleted")), told(["f_1"], about("email.deleted"))]).toEqual([true, false]);
  });

  it("gets a move, or else the events that the message left or arrived in its folders [S7.11-8]", () => {
    const move = about("email.moved", ["f_1", "inbox"]);
    const left = about("email.deleted", ["inbox", "f_1"], true);
    const came = about("email.received", ["f_1", "inbox"], true);
    const heard = (folders: ReadonlyArray<string>, events: ReadonlyArray<EventType> | null = ALL) =>
      [move, left, came].map((event) => told(folders, event, events));
    expect(heard(["*"])).toEqual([true, false, false]);
    expect(heard(["inbox"])).toEqual([false, true, false]);
    expect(heard(["f_1"])).toEqual([false, false, true]);
    expect(heard(["*"], ["email.received", "email.deleted"])).toEqual([false, true, true]);
    expect(heard(["*"], ["email.moved"])).toEqual([true, false, false]);
    expect(heard(["f_2"])).toEqual([false, false, false]);
  });
});

describe("a feed", () => {
  it("has moves from and to its folders, and no replacements of them", () => {
    const has = (folders: ReadonlyArray<string>) =>
      [
        about("email.moved", ["f_1", "inbox"]),
        about("email.deleted", ["inbox", "f_1"], true),
        about("email.received", ["f_1"]),
        about("email.sent"),
      ].map((event) => isInFeed(folders, event));
    expect(has(["inbox"])).toEqual([true, false, false, true]);
    expect(has(["*"])).toEqual([true, false, true, true]);
    expect(has(["f_2"])).toEqual([false, false, false, true]);
  });
});
