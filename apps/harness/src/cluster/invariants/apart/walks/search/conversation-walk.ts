import { Inbox, type InboxEntry, Threads } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Invariant } from "../../../../Invariant.ts";
import type { Visit } from "../../../../Visit.ts";
import { ARCHIVE } from "../../../../world/folders.ts";
import { SECOND } from "../../durations.ts";
import { type Act, walk } from "../walk.ts";

const STEPS = 14;
const FOLDERS = ["INBOX", "Sent", ARCHIVE, "Junk", "Trash"] as const;
/** The most messages of a conversation. */
const MOST = 6;
/** A time longer than a conversation is searched, in milliseconds. */
const SLOW = 30_000;

/** A message of a conversation. */
interface Part {
  readonly id: string;
  /** The ids in its References and In-Reply-To. */
  readonly references: ReadonlyArray<string>;
  readonly inReplyTo: string | null;
  readonly conversation: number;
  readonly text: string;
  folder: (typeof FOLDERS)[number];
}

/**
 * A conversation has exactly the messages that are connected by their References and In-Reply-To, in any folders, the oldest
 * first, whichever of its messages or threadIds it is opened by; a threadId is that of the first reference. [S5.2-4] [S5.2-5]
 * [S5.2-6] [S5.4-7] [S5.4-8]
 * [S5.4-13]
 */
export const conversationWalk: Invariant = {
  name: "conversation-walk",
  watch: () => ({
    // In every other seed, because a seed must stay cheap.
    apart: (visit, cluster) => (visit.pickInTurn([false, true]) ? converse(visit, cluster) : Effect.void),
  }),
};

const converse = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const { random } = cluster;
    const account = yield* visit.signUp("talker");
    const mail = cluster.mail.account(account);
    mail.create(ARCHIVE);
    const parts: Array<Part> = [];
    /** The conversations of which a message names only the one that it answers. */
    const loose = new Set<number>();
    let conversations = 0;
    const store = (part: Part) => {
      const fields = [
        `Message-ID: ${part.id}`,
        "From: Friend <friend@far.test>",
        `To: ${account}`,
        `Subject: about ${part.conversation}`,
        ...(part.references.length > 0 ? [`References: ${part.references.join("\r\n ")}`] : []),
        ...(part.inReplyTo === null ? [] : [`In-Reply-To: ${part.inReplyTo}`]),
      ];
      const raw = `${fields.join("\r\n")}\r\n\r\n${part.text}\r\n`;
      mail.mailbox(part.folder).append(new TextEncoder().encode(raw), visit.now);
      parts.push(part);
    };
    const of = (conversation: number) => parts.filter((one) => one.conversation === conversation);
    const write = Effect.suspend(() => {
      const number = parts.length + 1;
      const length = random.chance(0.1) ? 250 : 1;
      const [id, folder] = [`<part-${number}-${"x".repeat(length)}@far.test>`, random.pick(FOLDERS)];
      // A message with a long id is answered by none.
      const answered = parts.filter((one) => one.id.length < 200 && of(one.conversation).length < MOST);
      const parent = random.chance(0.25) ? undefined : random.pick(answered);
      const conversation = parent?.conversation ?? ++conversations;
      const before =
        parent === undefined
          ? []
          : parent.references.length > 0
            ? parent.references
            : parent.inReplyTo === null
              ? []
              : [parent.inReplyTo];
      const isLoose = parent !== undefined && !loose.has(conversation) && random.chance(0.3);
      if (isLoose) loose.add(conversation);
      store({
        id,
        folder,
        conversation,
        references: parent === undefined || isLoose ? [] : [...before, parent.id],
        inReplyTo: parent !== undefined && (isLoose || random.chance(0.7)) ? parent.id : null,
        text: `words ${number}`,
      });
      return visit.wait(2 * SECOND);
    });
    /** The threadId of a message, by 5.2. */
    const threadIdOf = ({ id, references, inReplyTo }: Part) => {
      const root = references[0] ?? inReplyTo ?? id;
      return root.length > 255 ? null : `t_${Buffer.from(root.slice(1, -1)).toString("base64url")}`;
    };
    const listed = Effect.gen(function* () {
      const all = yield* visit.ask("list all", (services) =>
        Context.get(services, Inbox).listAccount(account, { folders: "*,junk,trash" }),
      );
      return new Map<string | null, InboxEntry>(all.emails.map((entry) => [entry.message.messageId, entry]));
    });
    const open = (id: string, include?: "text") =>
      visit.ask("conversation", (services) => Context.get(services, Threads).list(account, id, include));
    const read = (isSlow: boolean) =>
      Effect.gen(function* () {
        const entries = yield* listed;
        // A message with a long id and without references is a conversation of its own, for which no folder is searched.
        const one = random.pick(isSlow ? parts.filter((part) => part.id.length < 200) : parts)!;
        const { id, message } = entries.get(one.id)!;
        visit.same(message.threadId, threadIdOf(one), `the threadId of ${one.id}`);
        const slow = random.pick(FOLDERS);
        if (isSlow) mail.mailbox(slow).searchMillis = SLOW;
        const name = random.chance(0.5) ? id : (threadIdOf(one) ?? id);
        const include = random.chance(0.3) ? "text" : undefined;
        const opened = yield* Effect.result(open(name, include));
        mail.mailbox(slow).searchMillis = 0;
        const promised = of(one.conversation);
        if (opened._tag === "Failure") {
          const { failure } = opened;
          const reason = failure._tag === "MailServerError" ? failure.reason : failure._tag;
          // The folders of the conversation may all be behind the slow one.
          return visit.same([reason, isSlow && name !== id], ["timeout", true], `the conversation of ${one.id}`);
        }
        const { emails, incomplete } = opened.success;
        const [found, all] = [emails.map((entry) => entry.message.messageId), promised.map((part) => part.id)];
        const isWhole = !isSlow || mail.mailbox(slow).messages.length === 0;
        // Folders that are unlikely to have answers are searched once, and so an answer that does not name the first message may be missed.
        const certain = promised.filter(
          (part) => part === one || [part.id, part.inReplyTo, ...part.references].includes(all[0]!),
        );
        const rest = certain.map((part) => part.id).filter((other) => !found.includes(other));
        if (isWhole)
          visit.same([found, rest], [all.filter((other) => found.includes(other)), []], `a conversation by ${one.id}`);
        else {
          visit.same(
            found.filter((other) => !all.includes(other!)),
            [],
            `what a conversation has of others`,
          );
          visit.expect(name !== id || found.includes(one.id), "a conversation lacks the message that opened it");
        }
        const unsearched = incomplete?.folders.map(({ path }) => path) ?? [];
        visit.same(unsearched.includes(slow), !isWhole, `whether a conversation names the slow folder ${slow}`);
        for (const entry of emails) {
          const part = promised.find((other) => other.id === entry.message.messageId)!;
          visit.same(
            [entry.id, entry.path, entry.newText?.trim()],
            [entries.get(part.id)!.id, part.folder, include === undefined ? undefined : part.text],
            `${part.id} in a conversation`,
          );
        }
      });
    const acts: ReadonlyArray<Act> = [
      { name: "a message arrives", weight: 6, isPossible: () => parts.length < 20, run: write },
      { name: "open a conversation", weight: 4, run: read(false) },
      { name: "open a conversation while a folder is slow", run: read(true) },
      {
        name: "another program moves a message",
        run: Effect.sync(() => {
          const [one, folder] = [random.pick(parts)!, random.pick(FOLDERS)];
          if (folder === one.folder) return;
          const from = mail.mailbox(one.folder);
          from.move([from.messages.find(({ summary }) => summary.messageId === one.id)!.uid], mail.mailbox(folder));
          one.folder = folder;
        }),
      },
      {
        name: "open what is not there",
        run: Effect.gen(function* () {
          const id = random.pick(["unknown", "!", `t_${Buffer.from("none@far.test").toString("base64url")}`])!;
          const refused = visit.tagOf("conversation", (services) => Context.get(services, Threads).list(account, id));
          visit.same(yield* refused, "MessageNotFound", `the conversation ${id}`);
        }),
      },
    ];
    for (let n = 0; n < 4; n++) yield* write;
    yield* walk(visit, cluster, acts, STEPS);
  });
