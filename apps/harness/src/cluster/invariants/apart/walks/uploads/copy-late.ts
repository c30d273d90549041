import type { MessageSender } from "@postern/core/send";
import { Effect, type Result } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { HOUR, SECOND } from "../../durations.ts";
import type { WalkedUpload, WalkedUploads } from "./walked-uploads.ts";

type Receipt = Effect.Success<ReturnType<MessageSender["Service"]["send"]>>;
type Failure = { readonly _tag: string };

/** The time until a message has arrived, and until a worker looks for due copies. */
const SENT = 500;
const LOOKED = 20 * SECOND;

/** Sends a message while Sent refuses its copy, perhaps for more than a day; the later copy has the files. [S6.1-2] [S6.6-1] */
export const copyLate = (
  visit: Visit,
  { mail, random }: Cluster,
  walked: WalkedUploads,
  stranger: WalkedUploads,
  send: (files: ReadonlyArray<WalkedUpload>) => Effect.Effect<Result.Result<Receipt, Failure>>,
  compareMail: (id: string, texts: ReadonlyArray<string>) => void,
) =>
  Effect.gen(function* () {
    const sent = mail.account(walked.account).mailbox("Sent");
    const files = random.some(walked.usable(), random.between(1, 3));
    const began = visit.now;
    sent.isReadOnly = true;
    const answer = yield* send(files);
    if (answer._tag === "Failure") return visit.expect(false, `a message is refused: ${answer.failure._tag}`);
    const { id, messageId } = answer.success;
    walked.mails.push({ id, files, dueAt: began, isCancelled: false });
    yield* visit.wait(SENT);
    compareMail(
      id,
      files.map(({ text }) => text),
    );
    yield* visit.skip(random.pick([HOUR, 26 * HOUR, 40 * HOUR]));
    yield* visit.wait(LOOKED);
    // The copies of messages that became due meanwhile wait as well.
    const late = walked.mails.filter(({ dueAt }) => dueAt >= began && dueAt <= visit.now);
    for (const one of late) one.dueAt = Infinity;
    yield* walked.compareWith(stranger.account);
    sent.isReadOnly = false;
    yield* visit.skip(3 * HOUR);
    yield* visit.wait(LOOKED);
    for (const one of late) one.dueAt = visit.now;
    const copies = sent.messages.filter(({ summary }) => summary.messageId === messageId);
    visit.same(copies.length, 1, "the copies in Sent of a message with files");
    const copy = new TextDecoder().decode(copies[0]?.raw);
    for (const { text } of files) visit.expect(copy.includes(text), `a late copy in Sent lacks ${text.slice(-30)}`);
  });
