import { StoresInMemory } from "@postern/memory";
import type { AttemptResult, MailAttempt, PosternMailTransport, PosternUploads } from "@postern/server";
import { CredentialVault } from "@postern/core/auth";
import type { MailCredentials } from "@postern/core/oauth";
import { MailTransport, UploadContents } from "@postern/core/send";
import { AccountId, type StoreUnavailable } from "@postern/core/shared";
import {
  MailTransportControl,
  mailTransportContract,
  type SmtpBehaviour,
  storeContracts,
  type TakenMessage,
  passwordsOnly,
} from "@postern/testkit";
import { it } from "@effect/vitest";
import { Deferred, Effect, Fiber, Layer, Redacted, Stream } from "effect";
import { describe, expect } from "vitest";
import { readConfig } from "../src/settings/config.ts";
import { mailTransport } from "../src/embedded/ports/mail-transport.ts";
import { replacementsOf } from "../src/embedded/ports/replacements-of.ts";
import { uploadContents } from "../src/embedded/ports/upload-contents.ts";

const allOf = async (bytes: AsyncIterable<Uint8Array>): Promise<ReadonlyArray<Uint8Array>> => {
  const parts: Array<Uint8Array> = [];
  for await (const part of bytes) parts.push(part);
  return parts;
};

/** A store of uploads as a host writes it, which stores parts in memory. */
const uploadsInMap = (): PosternUploads => {
  const uploads = new Map<string, ReadonlyArray<Uint8Array>>();
  return {
    write: async (id, bytes) => void uploads.set(id, await allOf(bytes)),
    read: async (id) => {
      const parts = uploads.get(id);
      return parts === undefined ? null : Stream.toAsyncIterable(Stream.fromIterable(parts));
    },
    remove: async (id) => void uploads.delete(id),
  };
};

/** A mail API as a host calls it, with the control for the contract. */
const mailApi = () => {
  let behaviour: SmtpBehaviour = {};
  let isUp = true;
  const users = new Set<string>();
  const taken: Array<TakenMessage> = [];
  const send = async ({ from, recipients, raw, credential }: MailAttempt): Promise<AttemptResult> => {
    const { username, ...secret } = credential();
    const password = "password" in secret ? secret.password : secret.accessToken;
    const { mail, rcpt, dot } = behaviour;
    if (!isUp) return { result: "not_sent", detail: "ECONNREFUSED" };
    if (!users.has(`${username}:${password}`)) return { result: "credential_refused" };
    const replies = [mail, ...recipients.map((one) => rcpt?.[one]), typeof dot === "string" ? undefined : dot];
    const refusal = replies.find((reply) => reply !== undefined);
    if (refusal !== undefined) return { result: "refused", detail: refusal.text, temporary: refusal.code < 500 };
    if (dot !== "cut") taken.push({ from, recipients, raw: Buffer.from(raw).toString("latin1") });
    if (typeof dot === "string") throw new TypeError("fetch failed");
    return { result: "accepted" };
  };
  const control = Layer.succeed(MailTransportControl, {
    newAccount: Effect.sync(() => {
      const username = `sender${users.size}@example.com`;
      users.add(`${username}:right`);
      return {
        account: AccountId(username),
        credential: { _tag: "Password" as const, username, password: Redacted.make("right") },
      };
    }),
    behave: (next) => Effect.sync(() => void (behaviour = next)),
    stop: Effect.sync(() => void (isUp = false)),
    start: Effect.sync(() => void (isUp = true)),
    taken: (from) => Effect.sync(() => taken.filter((message) => message.from === from)),
  });
  return { transport: { send, maxMessageBytes: 1_000_000 } satisfies PosternMailTransport, control };
};

storeContracts.send.UploadContents(
  "UploadContents over a store of the host",
  Layer.suspend(() => uploadContents(uploadsInMap())),
);

const { transport, control } = mailApi();
mailTransportContract(
  "MailTransport over a transport of the host",
  Layer.merge(mailTransport(transport), control).pipe(Layer.provide(passwordsOnly), Layer.provideMerge(StoresInMemory)),
  { answers: "at once" },
);

describe("a store of the host that fails", () => {
  const part = Stream.make(new Uint8Array(3), new Uint8Array(4));
  const failing = (store: Partial<PosternUploads>) => uploadContents({ ...uploadsInMap(), ...store });
  const detailOf = <A>(
    store: Partial<PosternUploads>,
    use: (contents: (typeof UploadContents)["Service"]) => Effect.Effect<A, StoreUnavailable>,
  ) =>
    Effect.flatMap(UploadContents, use).pipe(
      Effect.flip,
      Effect.map(({ detail }) => detail),
      Effect.provide(failing(store)),
    );

  it.effect("is reported with its message if it throws or rejects", () =>
    Effect.gen(function* () {
      const write = async () => Promise.reject(new Error("no such bucket"));
      expect(yield* detailOf({ write }, (store) => store.write("up_1", part))).toBe(
        "the store of uploads: no such bucket",
      );
      const remove = () => {
        throw new Error("not configured");
      };
      expect(yield* detailOf({ remove }, (store) => store.remove("up_1"))).toBe("the store of uploads: not configured");
      const read = async () => Stream.toAsyncIterable(Stream.fail(new Error("cut")));
      expect(yield* detailOf({ read }, (store) => Stream.runDrain(store.read("up_1")))).toBe(
        "the store of uploads: cut",
      );
    }),
  );

  it.effect("is reported if it did not read all bytes", () =>
    Effect.gen(function* () {
      const write = async (_: string, bytes: AsyncIterable<Uint8Array>) => {
        for await (const _part of bytes) return;
      };
      const detail = yield* detailOf({ write }, (store) => store.write("up_1", part));
      expect(detail).toBe("the store of uploads: not all bytes were read");
    }),
  );

  it.effect("does not hide that the upload was cut off", () =>
    Effect.gen(function* () {
      let seen: unknown;
      const write = async (_: string, bytes: AsyncIterable<Uint8Array>) => {
        await allOf(bytes).catch((reason: unknown) => (seen = reason));
      };
      const broken = Stream.concat(part, Stream.fail("cut" as const));
      const error = yield* Effect.flatMap(UploadContents, (store) => Effect.flip(store.write("up_1", broken))).pipe(
        Effect.provide(failing({ write })),
      );
      expect(error).toBe("cut");
      expect(seen).toMatchObject({ name: "PosternError", code: "upload_broken_off" });
    }),
  );

  it.live("is awaited when the upload is abandoned, so that the removal follows its last write", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>();
      let end = "";
      const write = async (_: string, bytes: AsyncIterable<Uint8Array>) => {
        try {
          for await (const _part of bytes) Deferred.doneUnsafe(begun, Effect.void);
        } catch (error) {
          await new Promise((resolve) => setTimeout(resolve, 50));
          end = String(error);
        }
      };
      const endless = Stream.concat(part, Stream.never);
      const writing = yield* Effect.flatMap(UploadContents, (store) => store.write("up_1", endless)).pipe(
        Effect.provide(failing({ write })),
        Effect.forkChild,
      );
      yield* Deferred.await(begun);
      yield* Fiber.interrupt(writing);
      expect(end).toBe("PosternError: the upload broke off");
    }),
  );
});

describe("a transport of the host", () => {
  const submission = (kind?: "notice") => ({
    from: "me@example.com",
    recipients: ["you@example.com"],
    size: 4,
    envelopeId: "out_1",
    message: Stream.make(new TextEncoder().encode("mail")),
    ...(kind === undefined ? {} : { kind }),
  });
  const deliver = (send: PosternMailTransport["send"], environment: Record<string, string>, kind?: "notice") =>
    Effect.gen(function* () {
      const { account, credential } = yield* (yield* MailTransportControl).newAccount;
      yield* (yield* CredentialVault).keep(account, credential);
      const replacements = replacementsOf({ mailTransport: { send } }, yield* readConfig(environment, false));
      const layer = replacements as Layer.Layer<MailTransport, never, MailCredentials>;
      return yield* Effect.flatMap(MailTransport, (transport) =>
        transport.deliver(account, submission(kind), () => Effect.succeed(true)),
      ).pipe(Effect.provide(layer));
    }).pipe(Effect.provide(Layer.merge(control, Layer.provideMerge(passwordsOnly, StoresInMemory))));

  it.live("sends notices, unless notices have a server of their own", () =>
    Effect.gen(function* () {
      const notices: Array<boolean> = [];
      const send = async ({ isNotice }: MailAttempt): Promise<AttemptResult> => {
        notices.push(isNotice);
        return { result: "accepted" };
      };
      expect(yield* deliver(send, {}, "notice")).toMatchObject({ _tag: "Answered" });
      const apart = { NOTIFY_SMTP_URL: "smtp://127.0.0.1:9", NOTIFY_FROM: "postern@example.com" };
      expect(yield* deliver(send, apart, "notice")).toMatchObject({ _tag: "NotSent", reason: "unreachable" });
      expect(yield* deliver(send, apart)).toMatchObject({ _tag: "Answered" });
      expect(notices).toEqual([true, false]);
    }),
  );

  it.live("counts as unanswered if it returns no result, so that nothing is sent again", () =>
    Effect.gen(function* () {
      const send = (async () => {}) as unknown as PosternMailTransport["send"];
      expect(yield* deliver(send, {})).toMatchObject({
        _tag: "Unknown",
        detail: "mailTransport.send returned no result",
      });
    }),
  );
});
