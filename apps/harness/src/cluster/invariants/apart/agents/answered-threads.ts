import { Inbox } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { AgentUser } from "./agent.ts";
import { HOUR } from "../durations.ts";

const THREAD = { to: ["thread"], approval: "outside" } as const;
const LATE = 5_000;

/** A policy with `thread` allows whom the owner, or a person by an approval, wrote to in the conversation, and no other person. */
export const answerThreads = ({
  visit,
  cluster,
  account,
  key,
  ask,
  approve,
}: AgentUser): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const by = yield* key({ scopes: ["mail:send", "mail:draft"], sendPolicy: THREAD });
    const person = yield* key({ scopes: ["mail:send"] });
    const arrive = (name: string) =>
      Effect.gen(function* () {
        const fields = [
          `Message-ID: <${name}@far.test>`,
          `From: ${name}@far.test`,
          `To: ${account}`,
          `Cc: beside-${name}@far.test`,
          `Reply-To: ${name}@far.test`,
          `Subject: from ${name}`,
        ];
        const raw = new TextEncoder().encode(`${fields.join("\r\n")}\r\n\r\nsimulated\r\n`);
        cluster.mail.account(account).mailbox("INBOX").append(raw, visit.now);
        const { page } = yield* visit.ask("list", (services) => Context.get(services, Inbox).list(account, {}));
        return page.emails.find(({ message }) => message.messageId === `<${name}@far.test>`)!.id;
      });
    const outcome = (subject: string, to: string, id?: string) =>
      Effect.map(
        ask(by, subject, { to: `${to}@far.test`, ...(id !== undefined && { replyToMessageId: id }) }),
        ({ sent, approval, refused }) => (sent !== undefined ? "sent" : approval !== undefined ? "asked" : refused),
      );
    const [known, unknown] = [yield* arrive("known"), yield* arrive("unknown")];
    visit.same(
      yield* outcome("too early", "known", known),
      "asked",
      "an answer to a person without an earlier message",
    );
    yield* ask(person, "the owner's", { to: "known@far.test", replyToMessageId: known });
    yield* visit.wait(LATE);
    visit.same(
      yield* outcome("answer", "known", known),
      "sent",
      "an answer to whom the owner wrote in the conversation",
    );
    visit.same(
      yield* outcome("to another", "beside-known", known),
      "asked",
      "an answer to another in the conversation",
    );
    visit.same(yield* outcome("elsewhere", "known", unknown), "asked", "an answer in another conversation");
    visit.same(yield* outcome("new", "known"), "asked", "a new message");
    // What an agent sent without an approval allows nothing, whether it has left or waits.
    const named = { to: ["@agents.test"], approval: "outside" } as const;
    const other = yield* key({ scopes: ["mail:send"], sendPolicy: named });
    for (const [to, sendAt] of [
      ["left@agents.test", undefined],
      ["waits@agents.test", new Date(visit.now + HOUR).toISOString()],
    ] as const) {
      const { sent } = yield* ask(other, `to ${to}`, { to, replyToMessageId: known, sendAt });
      visit.same(sent === undefined, false, "an answer within the policy of an agent");
      yield* visit.wait(LATE);
      const answer = yield* ask(by, `again to ${to}`, { to, replyToMessageId: known });
      visit.same(answer.sent === undefined, true, "an answer to whom an agent alone wrote is not sent at once");
    }
    const asked = yield* ask(by, "approved", { to: "unknown@far.test", replyToMessageId: unknown });
    visit.same(asked.approval === undefined, false, "an answer in a conversation of strangers");
    if (asked.approval === undefined) return;
    visit.same(yield* approve(asked.approval.id, asked.approval.version), "Answered", "an approval");
    yield* visit.wait(LATE);
    visit.same(yield* outcome("after", "unknown", unknown), "sent", "an answer after a person approved one before");
  });
