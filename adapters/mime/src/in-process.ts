import { MessageParser, MessageUnparsable } from "@postern/core/messages";
import { Effect, Layer } from "effect";
import { parsedMessage } from "./parsed-message.ts";
import { previewTexts } from "./preview-texts.ts";
import { readMessage } from "./read-message.ts";

/**
 * Parses messages in the calling thread, without limits of time and memory, for tests on a virtual clock with trusted
 * messages. A service that reads untrusted mail uses {@link layer}.
 */
export const layerInProcess: Layer.Layer<MessageParser> = Layer.succeed(MessageParser, {
  read: (_account, _key, message) => attemptParse(() => readMessage(message)),
  previews: (_account, texts) => attemptParse(() => previewTexts(texts)),
  report: (_account, _key, raw) => attemptParse(() => parsedMessage(raw)),
});

const attemptParse = <A>(parse: () => Promise<A>): Effect.Effect<A, MessageUnparsable> =>
  Effect.tryPromise({ try: parse, catch: () => new MessageUnparsable({ reason: "malformed" }) });
