import { Context, Effect, Layer, Option, Stream } from "effect";
import type { StoreUnavailable } from "../shared/index.ts";
import type { OutgoingContents } from "./OutgoingContents.ts";
import type { OutgoingMessage } from "./OutgoingMessage.ts";
import { MessageComposer } from "./ports/MessageComposer.ts";
import { OutgoingJournal } from "./ports/OutgoingJournal.ts";
import { UploadContents } from "./ports/UploadContents.ts";

/** The largest message in bytes whose MIME form is kept in memory. */
const MOST_KEPT = 256 * 1024;

/** An outgoing message during its lease: its contents are read once, and a small message is composed once. */
export interface WrittenMessage {
  /** None once the message is finished. */
  readonly contents: Effect.Effect<Option.Option<OutgoingContents>, StoreUnavailable>;
  /** The MIME form to submit. */
  readonly bytes: (contents: OutgoingContents) => Stream.Stream<Uint8Array, StoreUnavailable>;
  /** The MIME form of the copy in Sent: with Bcc, and under this Message-ID. */
  readonly copy: (contents: OutgoingContents, messageId: string) => Stream.Stream<Uint8Array, StoreUnavailable>;
}

/** Composes outgoing messages as MIME, for an attempt or for the copy in Sent. */
export class MessageWriter extends Context.Service<
  MessageWriter,
  {
    /** Opens a message; `given` is its contents if already read. */
    readonly open: (message: OutgoingMessage, given: OutgoingContents | undefined) => WrittenMessage;
  }
>()("@postern/core/send/MessageWriter") {
  static readonly layer = Layer.effect(
    MessageWriter,
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const composer = yield* MessageComposer;
      const uploads = yield* UploadContents;

      const open = (message: OutgoingMessage, given: OutgoingContents | undefined): WrittenMessage => {
        let known = Option.fromUndefinedOr(given);
        let kept: Uint8Array | undefined;

        const compose = (contents: OutgoingContents, messageId: string, showBcc: boolean) =>
          composer.compose(
            { ...contents, messageId, date: message.scheduledFor ?? message.createdAt, showBcc },
            ({ uploadId }) => uploads.read(uploadId),
          );

        const bytes = (contents: OutgoingContents) => {
          if (contents.size > MOST_KEPT || contents.bcc.length > 0) return compose(contents, message.messageId, false);
          const written = Effect.suspend(() =>
            kept !== undefined
              ? Effect.succeed(kept)
              : Effect.map(
                  Stream.runCollect(compose(contents, message.messageId, false)),
                  (parts) => (kept = joined(parts)),
                ),
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

      return MessageWriter.of({ open });
    }),
  );
}

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};
