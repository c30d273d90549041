import { Effect, Option, Stream } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { OutgoingContents } from "./OutgoingContents.ts";
import type { OutgoingMessage } from "./OutgoingMessage.ts";
import { MessageComposer } from "../ports/MessageComposer.ts";
import { OutgoingJournal } from "../ports/OutgoingJournal.ts";
import { UploadContents } from "../ports/UploadContents.ts";

/** The maximum size in bytes of a message whose MIME form is kept in memory. */
const MAX_KEPT_BYTES = 256 * 1024;

/** An outgoing message during its lease. Its contents are read once, and a small message is composed once. */
export interface WrittenMessage {
  /** The contents; none once the message is finished. */
  readonly contents: Effect.Effect<Option.Option<OutgoingContents>, StoreUnavailable>;
  /** The MIME form to submit. */
  readonly bytes: (contents: OutgoingContents) => Stream.Stream<Uint8Array, StoreUnavailable>;
  /** The MIME form of the copy in Sent, with Bcc and this Message-ID. */
  readonly copy: (contents: OutgoingContents, messageId: string) => Stream.Stream<Uint8Array, StoreUnavailable>;
}

/** The ports that compose an outgoing message. */
export const messageSources = Effect.all({
  journal: OutgoingJournal,
  composer: MessageComposer,
  uploadContents: UploadContents,
});
export type MessageSources = Effect.Success<typeof messageSources>;

/** Opens a message to compose it as MIME, for an attempt or for the copy in Sent; `given` has its contents if they were already read. */
export const openMessage = (
  { journal, composer, uploadContents }: MessageSources,
  message: OutgoingMessage,
  given: OutgoingContents | undefined,
): WrittenMessage => {
  let known = Option.fromUndefinedOr(given);
  let kept: Uint8Array | undefined;

  const compose = (contents: OutgoingContents, messageId: string, showBcc: boolean) =>
    composer.compose(
      { ...contents, messageId, date: message.scheduledFor ?? message.createdAt, showBcc },
      ({ uploadId }) => uploadContents.read(uploadId),
    );

  const bytes = (contents: OutgoingContents) => {
    if (contents.size > MAX_KEPT_BYTES || contents.bcc.length > 0) return compose(contents, message.messageId, false);
    const written = Effect.suspend(() =>
      kept !== undefined
        ? Effect.succeed(kept)
        : Effect.map(Stream.runCollect(compose(contents, message.messageId, false)), (parts) => (kept = join(parts))),
    );
    return Stream.unwrap(Effect.map(written, (whole) => Stream.make(whole)));
  };

  return {
    contents: Effect.suspend(() =>
      Option.isSome(known)
        ? Effect.succeed(known)
        : Effect.tap(journal.contents(message.id), (found) => Effect.sync(() => void (known = found))),
    ),
    bytes,
    copy: (contents, messageId) =>
      messageId === message.messageId && contents.bcc.length === 0
        ? bytes(contents)
        : compose(contents, messageId, true),
  };
};

const join = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};
