import { type Composition, MessageComposer, type OutgoingAttachment } from "@postern/core/send";
import { StoreUnavailable } from "@postern/core/shared";
import { Effect, Stream } from "effect";

const plain: Composition = {
  messageId: "<out_1@x.test>",
  date: Date.UTC(2026, 0, 2, 3, 4, 5),
  showBcc: false,
  from: { name: "", address: "me@x.test" },
  to: [{ name: "Roe, Jane", address: "jane@y.test" }],
  cc: [],
  bcc: [{ name: "", address: "hidden@y.test" }],
  replyTo: [],
  subject: "Hello",
  text: "Hi",
  html: null,
  inReplyTo: null,
  references: [],
  headers: [],
  attachments: [],
  size: 0,
};

/** Returns an attachment whose upload id equals its name. */
export const attachmentOf = (
  name: string,
  contentId: string | null = null,
  type = "text/plain",
): OutgoingAttachment => ({
  uploadId: name,
  name,
  type,
  size: 10,
  contentId,
});

/** Composes a plain message with these changes; `files` holds the contents of its attachments by name. */
export const composePlain = Effect.fnUntraced(function* (
  message: Partial<Composition>,
  files: Readonly<Record<string, string>> = {},
) {
  const { compose } = yield* MessageComposer;
  const read = ({ uploadId }: OutgoingAttachment) =>
    files[uploadId] === undefined
      ? Stream.fail(new StoreUnavailable({ detail: "no such file" }))
      : Stream.make(new Uint8Array(Buffer.from(files[uploadId])));
  const chunks = yield* Stream.runCollect(compose({ ...plain, ...message }, read));
  return Buffer.concat([...chunks]).toString("latin1");
});
