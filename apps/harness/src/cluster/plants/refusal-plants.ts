import { DraftsFolder } from "@postern/core/drafts";
import { isRefused, type MailboxAccessError } from "@postern/core/mail";
import { MessageChanges } from "@postern/core/messages";
import { SentFolder } from "@postern/core/send";
import { Effect } from "effect";
import { nodePlant, type Plant } from "./Plant.ts";

/** Returns an effect that succeeds although the mail server refused the operation. */
const hideRefusal = <A, E extends { readonly _tag: string }>(
  effect: Effect.Effect<A, E | MailboxAccessError>,
  answer: A,
) =>
  Effect.catchIf(
    effect,
    (error): error is E => error._tag === "MailServerError" && isRefused(error as never),
    () => Effect.succeed(answer),
  );

/** Bugs of a node that mistakes the refusal of a change for success. */
export const refusalPlants: ReadonlyArray<Plant> = [
  nodePlant("refused-move-concealed", "a refused move is answered with success", MessageChanges, (real) => ({
    move: (account, mailbox, uids, to) =>
      hideRefusal(
        real.move(account, mailbox, uids, to),
        uids.map((uid) => ({ uid, to: null })),
      ),
  })),
  nodePlant("refused-copy-concealed", "a refused copy in Sent counts as stored", SentFolder, (real) => ({
    keep: (account, messageId, message, absentUntil) =>
      hideRefusal(real.keep(account, messageId, message, absentUntil), undefined),
  })),
  nodePlant("refused-draft-concealed", "a refused copy of a draft counts as stored", DraftsFolder, (real) => ({
    append: (account, mark, message) =>
      hideRefusal(real.append(account, mark, message), { path: "Drafts", uidValidity: 1, uid: 1_000_000 }),
  })),
];
