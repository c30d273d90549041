import type { AccountId } from "@postern/core/shared";
import { MessageParser, MessageUnparsable } from "@postern/core/messages";
import { Effect, Layer } from "effect";
import type { JobKind, Jobs } from "../jobs.ts";
import { type MimeOptions, settingsOf } from "../MimeOptions.ts";
import { Quarantine } from "../Quarantine.ts";
import { workers } from "../workers.ts";

/** Parses messages with postal-mime in worker threads with limits of time and memory; dies if none can start. */
export const layer = (options: MimeOptions = {}): Layer.Layer<MessageParser> =>
  Layer.effect(
    MessageParser,
    Effect.gen(function* () {
      const run = yield* workers(settingsOf(options));
      const quarantine = new Quarantine();

      const guarded = <K extends JobKind>(account: AccountId, kind: K, key: string, input: Jobs[K]["input"]) =>
        Effect.suspend(() =>
          quarantine.holds(key)
            ? Effect.fail(new MessageUnparsable({ reason: "quarantined" }))
            : Effect.tapError(run(account, kind, input), ({ reason }) =>
                Effect.sync(() => {
                  if (reason !== "busy") quarantine.failed(key);
                }),
              ),
        );

      return MessageParser.of({
        read: Effect.fn("MessageParser.read")((account, key, message) => guarded(account, "read", key, message)),
        previews: Effect.fn("MessageParser.previews")((account, texts) => run(account, "previews", texts)),
        report: Effect.fn("MessageParser.report")((account, key, raw) => guarded(account, "report", key, raw)),
      });
    }),
  );
