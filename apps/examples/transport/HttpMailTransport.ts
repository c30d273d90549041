import { CredentialVault } from "@postern/core/auth";
import { MailTransport } from "@postern/core/send";
import { Effect, Layer, Option, Redacted, Stream } from "effect";
import { ACCEPTED, LIMIT, notSent, outcomeOf, outcomeOfFault } from "./outcomes.ts";

/** Submits messages to a mail API over HTTP, which accepts or refuses a message for all its recipients at once. */
export const httpMailTransport = (api: string): Layer.Layer<MailTransport, never, CredentialVault> =>
  Layer.effect(
    MailTransport,
    Effect.map(CredentialVault, (vault) => ({
      maxMessageBytes: Effect.succeed(Option.some(LIMIT)),
      deliver: Effect.fn(function* (account, { from, recipients, size, message }, beforeDot) {
        const { username, password, version } = yield* vault.reveal(account);
        if (size > LIMIT) return { _tag: "TooLarge", limit: LIMIT };
        const parts = yield* Effect.option(Stream.runCollect(message));
        if (Option.isNone(parts)) return notSent("busy", "the message cannot be read");
        const replies = new Map(recipients.map((recipient) => [recipient, ACCEPTED]));
        if (!(yield* beforeDot(replies))) return notSent("protocol", "the attempt was withdrawn");
        const authorization = `Basic ${btoa(`${username}:${Redacted.value(password)}`)}`;
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
