import { AssistantSettings } from "@postern/core/assistants";
import { AdminKeys, TokenRejected, Tokens } from "@postern/core/auth";
import { AccountSettings, HostAdmission } from "@postern/core/accounts";
import type { AccountServers } from "@postern/core/mail";
import { MAIL_RETRIES, MessageComposer, SendSettings } from "@postern/core/send";
import { oauth, OAuthSettings } from "@postern/core/oauth";
import { Entropy, type RetryLadder } from "@postern/core/shared";
import { WebhookSettings } from "@postern/core/webhooks";
import { ClientDocumentsInMemory, DocumentsInMemory, EndpointPolicyInMemory, ReceiversInMemory } from "@postern/memory";
import { layer as nodeCrypto } from "@postern/node-crypto";
import { Clock, Effect, Layer, Option, Redacted, Stream } from "effect";
import { plainParser } from "../servers/plain-parser.ts";
import type { SeededRandom } from "../timeline/SeededRandom.ts";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** The servers of all simulated accounts. */
const SERVERS: AccountServers = {
  imap: { host: "imap.sim.test", port: 993, tls: "implicit", origin: "operator" },
  smtp: { host: "smtp.sim.test", port: 465, tls: "implicit", origin: "operator" },
};
/** The number of messages that an account may send in a minute. */
export const SEND_RATE = 20;
/** The number of an account's arrivals that are announced per second after an outage. */
export const BACKFILL_RATE = 3;
const BASE_URL = "https://postern.sim.test";

/** Returns random ids that depend on the seed. */
const entropyOf = (random: SeededRandom) =>
  Layer.succeed(Entropy, {
    id: (bits) =>
      Effect.sync(() => {
        let id = "";
        for (let left = bits; left > 0; left -= 6) id += DIGITS[random.between(0, 64)];
        return id;
      }),
  });

/**
 * Tokens that contain their claims in plain text, because signing needs promises, and no part of a simulation guesses
 * tokens.
 */
const plainTokens = Layer.succeed(Tokens, {
  issue: (use, claims) => Effect.succeed({ token: `${use}.${JSON.stringify(claims)}`, keyId: "k" }),
  reissue: (use, claims) => Effect.succeed(Option.some(`${use}.${JSON.stringify(claims)}`)),
  verify: Effect.fnUntraced(function* (use, token) {
    if (!token.startsWith(`${use}.`)) return yield* new TokenRejected({ reason: "signature" });
    const claims = JSON.parse(token.slice(use.length + 1));
    if (claims.expiresAt <= (yield* Clock.currentTimeMillis)) return yield* new TokenRejected({ reason: "expired" });
    return claims;
  }),
  publicKeys: { keys: [] },
});

/** Messages without MIME; the real composer works on streams of Node. */
const plainComposer = Layer.succeed(MessageComposer, {
  compose: (message, read) => {
    const { messageId, from, to, cc, bcc, replyTo, subject, inReplyTo, references, headers, text, html } = message;
    const fields = [
      ["Message-ID", messageId],
      ["From", mailboxesText([from])],
      ["To", mailboxesText(to)],
      ["Cc", mailboxesText(cc)],
      ["Bcc", message.showBcc ? mailboxesText(bcc) : ""],
      ["Reply-To", mailboxesText(replyTo)],
      ["Subject", subject],
      ["In-Reply-To", inReplyTo ?? ""],
      ["References", references.join(" ")],
      ...headers,
    ].flatMap(([name, value]) => (value === "" && name !== "Subject" ? [] : [`${name}: ${value}`]));
    return Stream.concat(
      Stream.make(new TextEncoder().encode(`${fields.join("\r\n")}\r\n\r\n${html ?? text}\r\n`)),
      Stream.flatMap(Stream.fromIterable(message.attachments), read),
    );
  },
});

const mailboxesText = (mailboxes: ReadonlyArray<{ readonly name: string; readonly address: string }>): string =>
  mailboxes.map(({ name, address }) => (name === "" ? address : `${name} <${address}>`)).join(", ");

/** The real adapters for ids and signatures. */
export const realCrypto = Layer.orDie(nodeCrypto({ idKey: new Uint8Array(32) }));

/** The limit of new connections to one mail host, which is the default of a deployment. [S10.3-40] */
export const HOST_LIMIT = { connections: 50, windowMillis: 10_000 };

/**
 * Returns fakes of the ports that a node computes in its process, without the host's time, randomness, promises or
 * threads.
 */
export const processFakes = (
  random: SeededRandom,
  ladder: RetryLadder,
  crypto: typeof realCrypto,
  mode: "fixed" | "any",
  {
    documents,
    imapDomains,
    noticesFrom,
  }: {
    readonly documents: Map<string, string>;
    readonly imapDomains: ReadonlyArray<string>;
    readonly noticesFrom: string | null;
  },
) =>
  Layer.mergeAll(
    plainTokens,
    plainComposer,
    plainParser,
    EndpointPolicyInMemory,
    HostAdmission.layer(HOST_LIMIT),
    Layer.succeed(AccountSettings, {
      mode,
      servers: SERVERS,
      domains: mode === "any" ? [...imapDomains] : [],
      signInDomains: ["own.test"],
      backfillRate: BACKFILL_RATE,
    }),
    Layer.succeed(WebhookSettings, { ladder, baseUrl: BASE_URL }),
    Layer.succeed(SendSettings, {
      retries: MAIL_RETRIES,
      rates: { perMinute: SEND_RATE, perDay: 1_000_000 },
      policy: { blockedAddresses: new Set<string>(), blockedDomains: new Set<string>() },
      aliases: "verified",
      noticesFrom,
      baseUrl: BASE_URL,
    }),
    Layer.succeed(AdminKeys, [] as ReadonlyArray<Redacted.Redacted>),
    oauth.layer,
    Layer.succeed(AssistantSettings, { mayRegister: true }),
    Layer.provide(ClientDocumentsInMemory, Layer.succeed(DocumentsInMemory, documents)),
  ).pipe(
    Layer.provideMerge(Layer.succeed(OAuthSettings, { apps: [], operatorName: null, baseUrl: BASE_URL })),
    Layer.provideMerge(Layer.provideMerge(entropyOf(random), crypto)),
    Layer.provide(ReceiversInMemory.layer),
  );
