import { Messages, Search } from "@postern/core/messages";
import { Context, Effect, Stream } from "effect";
import { byText } from "../../../../by-text.ts";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { FOLDERS } from "../../../mail/known-mail.ts";
import type { Act } from "../walk.ts";
import type { SearchedMail } from "./SearchedMail.ts";

/** Acts that read whole messages, their files, and the labels of the account. */
export const readingActs = (visit: Visit, { random }: Cluster, mail: SearchedMail): ReadonlyArray<Act> => {
  const { account } = mail;
  const ask = <A, E>(use: (messages: Messages["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("read", (services) => use(Context.get(services, Messages)));
  const textOf = ({ bytes }: Effect.Success<ReturnType<Messages["Service"]["raw"]>>) =>
    Effect.map(Effect.flatMap(bytes, Stream.runCollect), (pieces) => Buffer.concat([...pieces]).toString("latin1"));
  return [
    {
      name: "read a message and its files",
      weight: 2,
      run: Effect.gen(function* () {
        const one = random.pick(mail.all)!;
        const { emails } = yield* visit.ask("search", (services) =>
          Context.get(services, Search).list(account, { messageId: one.id }),
        );
        const { id } = emails[0]!;
        const read = yield* ask((messages) => messages.read(account, id));
        visit.same([read.id, read.folder.path, read.summary.messageId], [id, one.folder, one.id], "a read message");
        const text = read.parsed._tag === "Success" ? (read.parsed.success.text ?? "") : "";
        visit.expect(one.text.includes(text.trim()) && text.trim() !== "", `the text of ${one.id} is ${text}`);
        const raw = yield* ask((messages) => Effect.flatMap(messages.raw(account, id), textOf));
        visit.same(raw, one.text, `the bytes of ${one.id}`);
        visit.same(
          read.attachments.map(({ name, type }) => [name, type]),
          one.hasAttachments ? [["a.pdf", "application/pdf"]] : [],
          `the files of ${one.id}`,
        );
        for (const { id: section } of read.attachments) {
          const file = yield* ask((messages) =>
            Effect.flatMap(messages.attachment(account, id, section), (found) =>
              Effect.map(textOf(found), (bytes) => [found.name, found.type, bytes.trim()]),
            ),
          );
          visit.same(file, ["a.pdf", "application/pdf", "file"], `a file of ${one.id}`);
        }
        const missing = visit.tagOf("read", (services) =>
          Context.get(services, Messages).attachment(account, id, random.pick(["9", "1.1.1", "none"])),
        );
        visit.same(yield* missing, "AttachmentNotFound", "a file that a message does not have");
      }),
    },
    {
      name: "list the labels",
      run: Effect.gen(function* () {
        const limit = random.between(1, 3);
        const found: Array<string> = [];
        for (let cursor: string | undefined, parts = 0; parts < 9; parts++) {
          const page: { readonly items: ReadonlyArray<string>; readonly nextCursor: string | null } = yield* visit.ask(
            "labels",
            (services) => Context.get(services, Search).labels(account, { limit, cursor }),
          );
          found.push(...page.items.map((label) => label.toLowerCase()));
          if (page.nextCursor === null) break;
          cursor = page.nextCursor;
        }
        const known = FOLDERS.flatMap((folder) => [...mail.mailbox(folder).keywords]);
        const promised = new Set(known.map((label) => label.toLowerCase()));
        visit.same(found.toSorted(byText), [...promised].toSorted(byText), "the labels of the account, each once");
      }),
    },
  ];
};
