import { Effect, Layer, Option, Stream } from "effect";
import { AccountDirectory, newAccount } from "../../src/accounts/index.ts";
import { AgentGrantRecords } from "../../src/assistants/index.ts";
import { CredentialRelease, CredentialVault, ServiceKeys } from "../../src/auth/index.ts";
import { EventPublisher } from "../../src/events/index.ts";
import { MailboxCredentialsRejected } from "../../src/mail/index.ts";
import { Folders } from "../../src/folders/index.ts";
import {
  MessageChanges,
  MessageLocator,
  MessageNotFound,
  MessageReader,
  Messages,
  MessageSearch,
} from "../../src/messages/index.ts";
import {
  Identities,
  MAIL_RETRIES,
  MailTransport,
  MessageComposer,
  senderPolicyOf,
  type SenderPolicy,
  SendSettings,
  SentFolder,
  UploadContents,
  Uploads,
} from "../../src/send/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { summaryWith } from "../messages/summary.ts";
import { reply } from "../outgoing.ts";
import type { SendingState } from "./sending-state.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

export const ME = AccountId("me@x.test");
export const SERVER = "smtp.x.test:465";

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = <E>(stream: Stream.Stream<Uint8Array, E>) =>
  Effect.map(Stream.runCollect(stream), (parts) => [...parts].map((part) => new TextDecoder().decode(part)).join(""));

/** The mail servers of a world, and the credentials and keys that they check. */
export const sendingServer = (world: SendingState) => {
  const server = Layer.mergeAll(
    Layer.mock(MailTransport, {
      deliver: (_, { recipients, message }, beforeDot) =>
        Effect.gen(function* () {
          world.log.push(`deliver ${yield* textOf(message)} to ${recipients.join()}`);
          if (world.isRejected) return yield* new MailboxCredentialsRejected();
          if (world.outcome !== undefined) return { server: SERVER, ...world.outcome };
          const replies = new Map(recipients.map((one) => [one, world.refused.get(one) ?? reply(250)]));
          if ([...replies.values()].every(({ code }) => code >= 400)) {
            return { _tag: "RecipientsRefused", replies, server: SERVER } as const;
          }
          yield* world.beforeDot;
          if (!(yield* beforeDot(replies)))
            return { _tag: "NotSent", reason: "busy", detail: "not marked", server: SERVER } as const;
          world.log.push("dot");
          yield* world.afterDot;
          const named = world.providerMessageId === undefined ? {} : { providerMessageId: world.providerMessageId };
          return { _tag: "Answered", reply: reply(250), server: SERVER, ...named } as const;
        }),
      maxMessageBytes: () => Effect.sync(() => Option.fromUndefinedOr(world.maxMessageBytes)),
    }),
    Layer.mock(SentFolder, {
      keep: (_, messageId, message, absentUntil) =>
        Effect.gen(function* () {
          world.log.push(`copy ${yield* textOf(message)} as ${messageId} until ${absentUntil}`);
          if (world.copyFailure !== undefined) return yield* world.copyFailure;
        }),
    }),
    Layer.mock(MessageComposer, {
      compose: ({ subject, bcc, showBcc }) =>
        Stream.make(
          bytes(subject),
          bytes(showBcc && bcc.length > 0 ? ` bcc ${bcc.map(({ address }) => address).join()}` : ""),
        ),
    }),
    Layer.mock(UploadContents, {}),
    Layer.mock(CredentialVault, {
      hold: () =>
        Effect.suspend(() => {
          [world.rows, world.underWay] = [world.underWay ?? world.rows, undefined];
          return world.isRejected || world.isRemoved ? new MailboxCredentialsRejected() : Effect.void;
        }),
      version: () =>
        Effect.suspend(() => (world.isRejected ? new MailboxCredentialsRejected() : Effect.succeed(world.credential))),
    }),
    Layer.mock(AccountDirectory, {
      find: () => Effect.sync(() => Option.some({ ...newAccount(ME, 0), pausedAt: world.pausedAt })),
    }),
    Layer.mock(ServiceKeys, {
      find: (id) =>
        Effect.sync(() => {
          const suspended = world.suspendedReads > 0 && world.suspendedReads-- > 0 ? { suspendedAt: 0 } : {};
          return world.serviceKeys.has(id) ? Option.some(suspended as never) : Option.none();
        }),
    }),
    Layer.mock(AgentGrantRecords, {
      find: (id) =>
        Effect.sync(() =>
          Option.map(Option.fromUndefinedOr(world.grants.get(id)), (expiresAt) => ({ expiresAt }) as never),
        ),
    }),
    Layer.mock(CredentialRelease, {
      release: (account) => Effect.sync(() => void world.log.push(`release ${account}`)),
    }),
    Layer.mock(EventPublisher, {
      publish: (all) => Effect.sync(() => (world.events.push(...all.map(({ type }) => type)), [])),
    }),
  );
  return server;
};

/** The mailbox of a world, whose message `m_1` may be answered, and the settings. */
export const sendingMail = (world: SendingState) => {
  const found = {
    id: "m_1",
    folder: { id: "inbox", path: "INBOX" },
    ref: { folderId: "inbox", uidValidity: 1, uid: 9 },
    place: { path: "INBOX", uidValidity: 1, uid: 9 },
  };
  const header = () =>
    bytes(`Message-ID: <orig@y>\r\n${world.isAutomatic ? "Auto-Submitted: auto-replied\r\n" : ""}\r\n`);
  const mail = Layer.mergeAll(
    Layer.mock(Folders, {}),
    Layer.mock(MessageSearch, {}),
    Layer.mock(Messages, { read: () => new MessageNotFound() }),
    Layer.mock(MessageLocator, {
      withMessage: (_, id, use) => (id === "m_1" ? use(found) : Effect.fail(new MessageNotFound())),
    }),
    Layer.mock(MessageReader, {
      open: () =>
        Effect.sync(() => ({
          summary: summaryWith(),
          structure: null,
          header: header(),
          readBeginnings: () => Effect.die(""),
        })),
    }),
    Layer.mock(MessageChanges, {
      setFlags: (_, __, uids) => Effect.sync(() => (world.log.push("mark answered"), new Set(uids))),
    }),
    Layer.mock(Uploads, {}),
    Layer.mock(Identities, {
      sender: () => Effect.as(world.reading, { from: { name: "Me", address: ME }, replyTo: [] }),
    }),
    Layer.succeed(SendSettings, {
      rates: { perMinute: 5, perDay: 9 },
      retries: MAIL_RETRIES,
      policy: senderPolicyOf(["blocked@x.test"]) as SenderPolicy,
      aliases: "any",
      noticesFrom: null,
      baseUrl: "https://mail.x.test",
    }),
  );
  return mail;
};
