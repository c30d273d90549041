import { MailCredentials } from "@postern/core/oauth";
import { MailTransport } from "@postern/core/send";
import { Effect, Layer, Option, Stream } from "effect";
import { authorizationOf } from "./authorization-of.ts";
import { ACCEPTED, LIMIT, notSent, outcomeOf, outcomeOfFault } from "./outcomes.ts";

/** Submits messages to a mail API over HTTP, which accepts or refuses a message for all its recipients at once. */
export const httpMailTransport = (api: string): Layer.Layer<MailTransport, never, MailCredentials> =>
  Layer.effect(
    MailTransport,
    Effect.map(MailCredentials, (credentials) => ({
      maxMessageBytes: () => Effect.succeed(Option.some(LIMIT)),
      deliver: Effect.fn(function* (account, { from, recipients, size, message }, beforeDot) {
        const { credential, version } = yield* credentials.of(account);
        if (size > LIMIT) return { _tag: "TooLarge", limit: LIMIT };
        const parts = yield* Effect.option(Stream.runCollect(message));
        if (Option.isNone(parts)) return notSent("busy", "the message cannot be read");
        const replies = new Map(recipients.map((recipient) => [recipient, ACCEPTED]));
        if (!(yield* beforeDot(replies))) return notSent("protocol", "the attempt was withdrawn");
        const authorization = authorizationOf(credential);
        const body = JSON.stringify({ from, recipients, raw: Buffer.concat(parts.value).toString("base64") });
        return yield* Effect.promise((signal) =>
          fetch(api, { method: "POST", headers: { authorization }, body, signal }).then(
            (response) => outcomeOf(response.status, version),
            outcomeOfFault,
          ),
        );
      }),
    })),
  );
