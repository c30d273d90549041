import { Folders } from "@postern/core/folders";
import { LiveEvents } from "@postern/core/lifecycle";
import { Messages, Search, Threads } from "@postern/core/messages";
import { messageFields, searchFields } from "@postern/core/rules";
import { Identities } from "@postern/core/send";
import { TokenRejected } from "@postern/core/auth";
import { CurrentPrincipal } from "@postern/api";
import { Effect, Result, Schema } from "effect";
import { answer } from "../problems/answer.ts";
import { permissionNow } from "../auth/permission-now.ts";
import { Readiness } from "../edge/Readiness.ts";
import { DEFAULT_CHARACTERS, listedView, MAX_CHARACTERS, messageView, textView } from "./message-views.ts";
import { ACCOUNT, tool } from "./tool.ts";

const READ = { scopes: ["mail:read"], readOnly: true } as const;

const optional = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema.annotate({ description }));

const PART = {
  full: optional(Schema.Boolean, "True for the whole text with its quotes, and the addresses of links."),
  maxCharacters: optional(Schema.Int, "How many characters of text to return: 24,000 by default, at most 131,072."),
  cursor: optional(Schema.String, "nextCursor of the result before, for the next part."),
};

const partOf = (input: { readonly full?: boolean; readonly maxCharacters?: number; readonly cursor?: string }) => ({
  full: input.full ?? false,
  from: Math.max(0, Number.parseInt(input.cursor ?? "0", 10) || 0),
  most: Math.min(MAX_CHARACTERS, Math.max(1, input.maxCharacters ?? DEFAULT_CHARACTERS)),
});

/** Maximum number of messages of one page and of one conversation. */
const MAX_FOUND = 25;
const MAX_THREAD = 20;

const PREVIEW = 300;

/** The tools that read, for a key with `mail:read`. */
export const readTools = Effect.gen(function* () {
  const folders = yield* Folders;
  const identities = yield* Identities;
  const search = yield* Search;
  const threads = yield* Threads;
  const messages = yield* Messages;
  const live = yield* LiveEvents;
  const permission = yield* permissionNow;
  const { stopping } = yield* Readiness;

  const mailboxes = tool(
    {
      ...READ,
      name: "mailboxes",
      description:
        "Lists the folders of the account with their counts, its sender identities, and what this key may do.",
    },
    { account: ACCOUNT },
    Effect.fnUntraced(function* (account, _, fence) {
      const { scopes, key } = yield* CurrentPrincipal;
      const listed = yield* answer(folders.list(account));
      const senders = yield* answer(identities.page(account, {}));
      return {
        account,
        reach: key?.accounts ?? undefined,
        scopes,
        folders: listed.slice(0, 200).map(({ id, path, role, unreadCount, totalCount }) => ({
          id,
          path: fence.around(path),
          role: role ?? undefined,
          total: totalCount,
          unread: unreadCount,
        })),
        identities: senders.items.map(({ id, name, address }) => ({ id, name, address })),
      };
    }),
  );

  const find = tool(
    {
      ...READ,
      name: "find_messages",
      description:
        "Finds messages, newest first in each folder, with the beginning of their texts. Without criteria it lists all.",
    },
    {
      account: ACCOUNT,
      folder: optional(searchFields.folder, "Id, role or name of a folder; all folders by default."),
      query: optional(searchFields.text, "Words in the header or the text."),
      from: optional(searchFields.from, "Part of the sender's name or address."),
      since: optional(searchFields.since, "Day as YYYY-MM-DD, or a time."),
      unread: optional(Schema.Boolean, "True for unread messages only, false for read ones."),
      label: optional(searchFields.label, "A label."),
      limit: optional(searchFields.limit, "Messages per page: 10 by default, at most 25."),
      cursor: optional(searchFields.cursor, "nextCursor of the page before."),
    },
    Effect.fnUntraced(function* (account, input, fence) {
      const limit = Math.min(MAX_FOUND, input.limit ?? 10);
      const { query, folder, from, since, unread, label, cursor } = input;
      const page = yield* answer(
        search.list(account, { text: query, folder, from, since, unread, label, cursor, limit }),
      );
      // A preview of a listing may contain hidden text, so each message is read.
      const found = yield* Effect.forEach(
        page.emails,
        (entry) =>
          Effect.map(Effect.option(messages.read(account, entry.id, true)), (read) => {
            const parsed = read._tag === "Some" ? Result.getOrNull(read.value.parsed) : null;
            const seen = parsed?.visible ?? undefined;
            const part = { full: false, from: 0, most: PREVIEW };
            return { ...listedView(fence, entry), preview: seen && textView(fence, seen, part).text };
          }),
        { concurrency: 4 },
      );
      return { total: page.total, messages: found, nextCursor: page.nextCursor ?? undefined, hidden: fence.hidden };
    }),
  );

  const read = tool(
    {
      ...READ,
      name: "read_message",
      description:
        "Reads a message: its new text without quotes, who sent it, whether the mail server could authenticate the sender, and its files.",
    },
    { account: ACCOUNT, id: messageFields.id.annotate({ description: "Id of the message." }), ...PART },
    Effect.fnUntraced(function* (account, input, fence) {
      return messageView(fence, yield* answer(messages.read(account, input.id, true)), partOf(input));
    }),
  );

  const thread = tool(
    { ...READ, name: "read_thread", description: "Reads a conversation: its last 20 messages with their new texts." },
    {
      account: ACCOUNT,
      threadId: messageFields.threadId.annotate({ description: "threadId of a message, or the id of one." }),
      ...PART,
    },
    Effect.fnUntraced(function* (account, input, fence) {
      const { emails } = yield* answer(threads.list(account, input.threadId));
      const last = emails.slice(-MAX_THREAD);
      const part = partOf(input);
      const most = Math.floor(part.most / Math.max(1, last.length));
      const read = yield* Effect.forEach(last, ({ id }) => answer(messages.read(account, id, true)), {
        concurrency: 4,
      });
      return {
        total: emails.length,
        messages: read.map((message) => messageView(fence, message, { ...part, most })),
        hidden: fence.hidden,
      };
    }),
  );

  const attachment = tool(
    {
      ...READ,
      name: "read_attachment",
      description:
        "Reads the text of an attachment: plain text, CSV, HTML or a calendar. Of other files it returns name and type.",
    },
    {
      account: ACCOUNT,
      id: messageFields.id.annotate({ description: "Id of the message." }),
      attachmentId: messageFields.attachmentId.annotate({ description: "attachmentId of a file of read_message." }),
      cursor: PART.cursor,
    },
    Effect.fnUntraced(function* (account, input, fence) {
      const { name, type, size, text } = yield* answer(messages.attachmentText(account, input.id, input.attachmentId));
      return {
        name: name === null ? undefined : fence.around(name.slice(0, 200)),
        type: fence.mediaType(type),
        size,
        ...(text === null
          ? { note: "The text of this kind of file is not read." }
          : textView(fence, text, { ...partOf(input), full: true })),
        links: undefined,
        hidden: fence.hidden,
      };
    }),
  );

  const wait = tool(
    {
      ...READ,
      name: "wait_for_message",
      description:
        "Waits for a message that arrives after the call, such as a code to sign in with, and returns it with the codes and links in it. It returns none if none came in time.",
    },
    {
      account: ACCOUNT,
      from: optional(searchFields.from, "Part of the sender's name or address."),
      subject: optional(searchFields.subject, "Part of the subject."),
      contains: optional(searchFields.text, "Part of the text."),
      timeout: messageFields.timeout.annotate({ description: "Seconds to wait at most, up to 120." }),
    },
    Effect.fnUntraced(function* (account, { from, subject, contains, timeout }, fence) {
      const isAllowed = yield* permission("mail:read");
      const stillAllowed = Effect.flatMap(isAllowed, (is) =>
        is ? Effect.void : Effect.fail(new TokenRejected({ reason: "session_ended" })),
      );
      const { message, codes, links } = yield* answer(
        live.waitFor(account, { from, subject, contains, timeout }, stillAllowed, stopping),
      );
      if (message === null) return { message: "none arrived in time; call again to wait on" };
      const seen = yield* answer(messages.read(account, message.id, true));
      return {
        message: messageView(fence, seen, { full: false, from: 0, most: 8_000 }),
        codes: codes.slice(0, 20).map((code) => fence.around(code)),
        links: links.slice(0, 20).map((link) => fence.between(link.slice(0, 1_000))),
      };
    }),
  );

  return [mailboxes, find, read, thread, attachment, wait];
});
