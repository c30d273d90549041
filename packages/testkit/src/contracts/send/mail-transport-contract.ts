import { assert, layer } from "@effect/vitest";
import { StoreUnavailable } from "@postern/core/shared";
import { CredentialVault } from "@postern/core/auth";
import { MailTransport, type SmtpReply } from "@postern/core/send";
import { Effect, type Layer, Option, Redacted, Stream } from "effect";
import { MailTransportControl } from "../../controls/MailTransportControl.ts";
import { errorOf } from "../error-of.ts";
import { account, bytes, MESSAGE, send } from "./mail-transport-attempts.ts";
import { answersAtOnce } from "./mail-transport-at-once.ts";
import { answersInSteps } from "./mail-transport/mail-transport-in-steps.ts";

/** The abilities of the servers of a transport. */
export interface MailTransportCapabilities {
  /**
   * The answers of the server. `in steps`: an answer for the sender, for each recipient and for the message, as in
   * SMTP. `at once`: one answer for all, after the whole message, as from a mail API over HTTP.
   */
  readonly answers: "in steps" | "at once";
}

/** The contract of `MailTransport` (spec 6). */
export const mailTransportContract = <E>(
  name: string,
  ports: Layer.Layer<MailTransport | CredentialVault | MailTransportControl, E>,
  { answers }: MailTransportCapabilities = { answers: "in steps" },
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    it.effect("submits a message byte for byte, and calls beforeDot once before it is accepted", () =>
      Effect.gen(function* () {
        const from = yield* account;
        const { outcome, marks, taken } = yield* send(from, ["a@y.test", "b@y.test"]);
        assert.deepInclude(outcome, { _tag: "Answered" });
        assert.strictEqual((outcome as { reply: SmtpReply }).reply.code, 250);
        assert.deepStrictEqual(taken, [{ from, recipients: ["a@y.test", "b@y.test"], raw: MESSAGE }]);
        assert.lengthOf(marks, 1);
        assert.strictEqual(marks[0]!.takenBefore, 0);
        assert.deepStrictEqual([...marks[0]!.replies.keys()], ["a@y.test", "b@y.test"]);
      }),
    );

    it.effect("sends no dot if beforeDot refuses [S6.3-1]", () =>
      Effect.gen(function* () {
        const from = yield* account;
        const { outcome, marks, taken } = yield* send(from, ["a@y.test"], { mark: false });
        assert.strictEqual(outcome._tag, "NotSent");
        assert.lengthOf(marks, 1);
        yield* Effect.sleep("50 millis");
        assert.deepStrictEqual(taken, yield* (yield* MailTransportControl).taken(from));
        assert.lengthOf(taken, 0);
      }),
    );

    if (answers === "in steps") answersInSteps(it);
    else answersAtOnce(it);

    for (const [dot, times] of [
      ["cut", 0],
      ["take and cut", 1],
    ] as const) {
      it.effect(`reports Unknown if the server does not reply to the dot: ${dot}`, () =>
        Effect.gen(function* () {
          const from = yield* account;
          yield* (yield* MailTransportControl).behave({ dot });
          const { outcome, taken } = yield* send(from, ["a@y.test"]);
          assert.deepInclude(outcome, { _tag: "Unknown", reason: "connection_cut" });
          assert.lengthOf(taken, times);
        }),
      );
    }

    it.effect("sends nothing of a message that cannot be read to its end", () =>
      Effect.gen(function* () {
        const from = yield* account;
        const message = Stream.concat(
          Stream.make(bytes("Subject: x\r\n\r\nhalf")),
          Stream.fail(new StoreUnavailable({ detail: "gone" })),
        );
        const { outcome, marks, taken } = yield* send(from, ["a@y.test"], { message });
        assert.strictEqual(outcome._tag, "NotSent");
        assert.deepStrictEqual([marks.length, taken.length], [0, 0]);
      }),
    );

    it.effect("refuses a message larger than the server's limit, which it reports to this account only [S8.1-1]", () =>
      Effect.gen(function* () {
        const [from, other] = [yield* account, yield* account];
        const transport = yield* MailTransport;
        const others = yield* transport.maxMessageBytes(other);
        const { outcome, marks } = yield* send(from, ["a@y.test"], { size: 2 ** 40 });
        const limit = yield* transport.maxMessageBytes(from);
        assert.deepStrictEqual(outcome, { _tag: "TooLarge", limit: Option.getOrThrow(limit) });
        assert.deepStrictEqual(yield* transport.maxMessageBytes(other), others);
        assert.lengthOf(marks, 0);
      }),
    );

    it.effect("reports an unreachable server, and works with the same server name once the server is back", () =>
      Effect.gen(function* () {
        const control = yield* MailTransportControl;
        const from = yield* account;
        const before = yield* send(from, ["a@y.test"]);
        assert.strictEqual(before.outcome._tag, "Answered");
        yield* control.stop;
        const down = yield* Effect.ensuring(send(from, ["a@y.test"]), control.start);
        assert.deepInclude(down.outcome, { _tag: "NotSent", reason: "unreachable" });
        const after = yield* send(from, ["a@y.test"]);
        assert.strictEqual(after.outcome._tag, "Answered");
        assert.deepStrictEqual([down.server, after.server], [before.server, before.server]);
      }),
    );

    it.effect("fails without a credential, and uses a new one [S11.4-14]", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const { account: from, credential } = yield* (yield* MailTransportControl).newAccount;
        assert.strictEqual((yield* errorOf(send(from, ["a@y.test"])))._tag, "MailboxCredentialsRejected");
        yield* vault.keep(from, { _tag: "Password", username: credential.username, password: Redacted.make("wrong") });
        const { version } = yield* vault.reveal(from);
        assert.deepStrictEqual((yield* send(from, ["a@y.test"])).outcome, { _tag: "AuthRefused", version });
        assert.strictEqual((yield* vault.reveal(from)).version, version, "the vault is not told");
        yield* vault.keep(from, credential);
        assert.strictEqual((yield* send(from, ["a@y.test"])).outcome._tag, "Answered");
      }),
    );

    it.effect("submits many messages concurrently, of one account and of several", () =>
      Effect.gen(function* () {
        const accounts = [yield* account, yield* account, yield* account];
        yield* Effect.forEach(
          Array.from({ length: 30 }, (_, n) => n),
          (n) => send(accounts[n % 3]!, [`r${n}@y.test`]),
          { concurrency: "unbounded" },
        );
        for (const [n, from] of accounts.entries()) {
          const taken = yield* (yield* MailTransportControl).taken(from);
          assert.sameMembers(
            taken.flatMap(({ recipients }) => recipients),
            Array.from({ length: 10 }, (_, m) => `r${m * 3 + n}@y.test`),
          );
        }
      }),
    );
  });
