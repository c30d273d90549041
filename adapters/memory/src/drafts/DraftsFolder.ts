import { DraftsFolder, readMark } from "@postern/core/drafts";
import { MailServerError } from "@postern/core/mail";
import { DRAFT_HEADER } from "@postern/core/send";
import { Clock, Effect, Layer, Stream } from "effect";
import { messageEntity } from "../mail/entity.ts";
import type { MailAccount } from "../mail/MailServerInMemory.ts";
import { checkPermitted } from "../mail/check-permitted.ts";
import { signedIn } from "../mail/signed-in.ts";
import type { StoredMessage } from "../mail/Mailbox.ts";

/** The Drafts folder of an account of the mail world, which exists always. */
export const layer = Layer.effect(
  DraftsFolder,
  Effect.map(signedIn, (signedIn) => {
    const folderOf = (account: MailAccount) => {
      const { path, mailbox } = account.list().find(({ role }) => role === "drafts")!;
      return { path, mailbox: mailbox! };
    };

    return {
      list: Effect.fn("DraftsFolder.list")(function* (id, limit) {
        const { path, mailbox } = folderOf(yield* signedIn(id));
        const copies = mailbox.messages.slice(-limit).map((message) => ({
          uid: message.uid,
          mark: markOf(message),
          summary: message.summary,
        }));
        return { path, uidValidity: mailbox.uidValidity, copies, isPartial: mailbox.messages.length > limit };
      }),
      find: Effect.fn("DraftsFolder.find")(function* (id, draftId, uid) {
        const { path, mailbox } = folderOf(yield* signedIn(id));
        const copies = mailbox.messages
          .map((message) => ({ uid: message.uid, mark: markOf(message) }))
          .filter((copy) => copy.uid === uid || copy.mark?.draftId === draftId);
        return { path, uidValidity: mailbox.uidValidity, copies, isPartial: false };
      }),
      append: Effect.fn("DraftsFolder.append")(function* (id, _mark, message) {
        const account = yield* signedIn(id);
        const { path, mailbox } = folderOf(account);
        const raw = new Uint8Array(Buffer.concat([...(yield* Stream.runCollect(message))]));
        yield* checkPermitted("append", mailbox);
        if (!account.hasRoomFor(raw.length)) {
          return yield* new MailServerError({
            reason: "over_quota",
            operation: "append",
            detail: "the account is full",
          });
        }
        const { uid } = mailbox.append(raw, yield* Clock.currentTimeMillis, ["\\Draft", "\\Seen"]);
        return { path, uidValidity: mailbox.uidValidity, uid };
      }),
    };
  }),
);

const FIELD = new RegExp(`^${DRAFT_HEADER}:((?:[^\\r\\n]|\\r?\\n[ \\t])*)`, "im");

const markOf = ({ raw }: StoredMessage) => {
  const field = FIELD.exec(messageEntity(raw).header);
  return field === null ? null : readMark(field[1]!);
};
