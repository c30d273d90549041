import type { Query } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { type Message, messageQuery } from "../src/mail/emails/message.ts";

it("a message that a busy service could not read is read again soon and not kept; any other message is kept", () => {
  const { refetchInterval, staleTime } = messageQuery("m_1");
  const kept = (parseFault: Message["parseFault"]) => {
    const query = { state: { data: { parseFault } } } as Query<Message, Error, Message, readonly ["message", string]>;
    return [refetchInterval, staleTime].map((option) => (typeof option === "function" ? option(query) : option));
  };
  expect(kept("busy")).toEqual([2_000, 0]);
  expect(kept("malformed")).toEqual([false, 300_000]);
  expect(kept(null)).toEqual([false, 300_000]);
});
