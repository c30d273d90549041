import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import type { ImapFlow } from "imapflow";
import type { Response } from "../src/wire/ResponseReader.ts";
import { readVanished, type Vanished } from "../src/wire/read-vanished.ts";

const open = (exists: number) => {
  const events: Array<Vanished> = [];
  const ended: Array<string> = [];
  const left: Array<string> = [];
  const client = Object.assign(new EventEmitter(), {
    mailbox: { path: "INBOX", exists },
    streamer: { destroy: ({ message }: Error) => ended.push(message) },
    handleResponse: async ({ payload }: Response) => left.push(payload.toString()) > 0,
  });
  client.on("expunge", (event) => events.push(event));
  readVanished(client as unknown as ImapFlow);
  const say = (text: string) => client.handleResponse({ payload: Buffer.from(text), literals: [] });
  return { client, events, ended, left, say };
};

it("reports each vanished message, and reduces the count of messages", async () => {
  const { client, events, say } = open(9);
  await say("* VANISHED 3,7:5");
  await say("* VANISHED (EARLIER) 1:2");
  expect(events.map(({ uid, earlier }) => [uid, earlier])).toEqual([
    [3, false],
    [5, false],
    [6, false],
    [7, false],
    [1, true],
    [2, true],
  ]);
  expect(client.mailbox.exists).toBe(5);
});

it("ends a connection whose server reports more removals than a mailbox can have messages [S10.4-8]", async () => {
  const { events, ended, say } = open(9);
  expect(await say("* VANISHED 1:4294967295")).toBe(false);
  expect([events, ended]).toEqual([[], ["the server removed more messages than it can have"]]);
});

it("reports too many earlier removals as one removal without a UID", async () => {
  const { events, say } = open(9);
  expect(await say("* VANISHED (EARLIER) 1:2000000")).toBe(true);
  expect(events).toEqual([{ path: "INBOX", uid: undefined, vanished: true, earlier: true }]);
});

it("lets other work run between slices of removals", async () => {
  const { events, say } = open(100_000);
  const counts: Array<number> = [];
  const count = () => {
    counts.push(events.length);
    if (events.length < 90_000) setImmediate(count);
  };
  setImmediate(count);
  await say("* VANISHED 1:90000");
  expect(counts.length).toBeGreaterThan(8);
});

it("leaves other responses to imapflow", async () => {
  const { left, say } = open(9);
  for (const line of ["* VANISHED", "* VANISHED 1:*", "* 3 EXPUNGE", "* VANISHED 99999999999"]) await say(line);
  expect(left).toHaveLength(4);
});
