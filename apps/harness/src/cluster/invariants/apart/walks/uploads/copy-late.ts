import { type MessageSender, Outbox } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect, type Result } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../durations.ts";
import type { WalkedUpload, WalkedUploads } from "./walked-uploads.ts";

type Receipt = Effect.Success<ReturnType<MessageSender["Service"]["send"]>>;
type Failure = { readonly _tag: string };

/** The time until a message has arrived, and until a worker looks for due copies. */
const SENT = 500;
const LOOKED = 20 * SECOND;

/** A time after which the end of a wait is certain. */
const NEAR = 2 * MINUTE;
/** The last wait between attempts to store a copy, after which the attempt is made. */
const STEP = 2 * HOUR + 30 * SECOND;

/** Lets each attempt to store the copy of a message be refused, until the last one; the message says why. [S6.4-4] */
const untilGivenUp = (visit: Visit, account: AccountId, id: string): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const copy = Effect.map(
      visit.ask("find", (services) => Context.get(services, Outbox).find(account, id)),
      ({ message }) => message.copy,
    );
    const began = visit.now;
    for (let found = yield* copy; found.state !== "given_up"; found = yield* copy) {
      const passed = visit.now - began;
      visit.same([found.state, found.failure?.reason], ["owed", "not_permitted"], "a copy in Sent that is refused");
      if (passed > 5 * DAY) return visit.expect(false, "a copy in Sent that is always refused is not given up");
      yield* visit.skip(passed > 2 * HOUR ? STEP : HOUR + 30 * SECOND);
    }
    const { at, failure } = yield* copy;
    visit.same([at, failure?.reason], [null, "not_permitted"], "a copy in Sent that was given up");
    visit.expect(visit.now - began > 3.9 * DAY, `a copy in Sent is given up ${visit.now - began} ms after its message`);
  });

/**
 * Sends a message while Sent refuses its copy, perhaps for more than a day; the later copy has the files. A
 * copy that is refused for as long as a message is tried is given up. [S6.1-2] [S6.6-1]
 */
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
    const isGivenUp = random.chance(0.15);
    if (isGivenUp) yield* untilGivenUp(visit, walked.account, id);
    else yield* visit.skip(random.pick([HOUR, 26 * HOUR, 40 * HOUR]));
    yield* visit.wait(LOOKED);
    // The copies of messages that became due meanwhile wait as well; those of messages from just before may be stored.
    const late = walked.mails.filter(({ dueAt }) => dueAt >= began && dueAt <= visit.now);
    const open = walked.mails.filter(({ dueAt }) => dueAt >= began - MINUTE && dueAt < began);
    for (const one of open) one.dueAt = visit.now;
    for (const one of late) one.dueAt = isGivenUp && one.id === id ? visit.now - NEAR : Infinity;
    yield* walked.compareWith(stranger.account);
    sent.isReadOnly = false;
    yield* visit.skip(3 * HOUR);
    yield* visit.wait(LOOKED);
    for (const one of [...late, ...open]) one.dueAt = Math.min(one.dueAt, visit.now);
    const copies = sent.messages.filter(({ summary }) => summary.messageId === messageId);
    visit.same(copies.length, isGivenUp ? 0 : 1, "the copies in Sent of a message with files");
    if (isGivenUp) return;
    const copy = new TextDecoder().decode(copies[0]?.raw);
    for (const { text } of files) visit.expect(copy.includes(text), `a late copy in Sent lacks ${text.slice(-30)}`);
  });
