import { assert, layer } from "@effect/vitest";
import { type AccountId, StoreUnavailable } from "@postern/core/shared";
import { CredentialVault } from "@postern/core/auth";
import {
  type AttemptOutcome,
  MailTransport,
  type RecipientReplies,
  type SmtpReply,
  type Submission,
} from "@postern/core/send";
import { Effect, type Layer, Option, Redacted, Stream } from "effect";
import { MailTransportControl } from "../../MailTransportControl.ts";
import type { SmtpBehaviour } from "../../SmtpBehaviour.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const reply = (code: number, enhanced: string): SmtpReply => ({ code, enhanced, text: "because" });
const LATER = reply(451, "4.7.1");
const NEVER = reply(550, "5.1.1");

/** Lines that would end the data without dot-stuffing. */
const MESSAGE = "Subject: x\r\n\r\n.\r\n..\r\n.dot\r\n" + `${"long ".repeat(190)}\r\n.\r\n`;

/** The contract of `MailTransport` (spec 6). */
export const mailTransportContract = <E>(
  name: string,
  ports: Layer.Layer<MailTransport | CredentialVault | MailTransportControl, E>,
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    const account = Effect.gen(function* () {
      const control = yield* MailTransportControl;
      yield* control.behave({});
      const made = yield* control.newAccount;
      yield* (yield* CredentialVault).keep(made.account, made.credential);
      return made.account;
    });

    const send = Effect.fnUntraced(function* (
      from: AccountId,
      recipients: ReadonlyArray<string>,
      options: { readonly mark?: boolean; readonly message?: Submission["message"]; readonly size?: number } = {},
    ) {
      const control = yield* MailTransportControl;
      const marks: Array<{ readonly replies: RecipientReplies; readonly takenBefore: number }> = [];
      const before = (yield* control.taken(from)).length;
      const outcome = yield* (yield* MailTransport).deliver(
        from,
        {
          from,
          recipients,
          size: options.size ?? MESSAGE.length,
          envelopeId: "out_1",
          message: options.message ?? Stream.make(bytes(MESSAGE)),
        },
        (replies) =>
          Effect.map(control.taken(from), (taken) => {
            marks.push({ replies, takenBefore: taken.length - before });
            return options.mark ?? true;
          }),
      );
      const taken = (yield* control.taken(from)).slice(before);
      return { outcome, marks, taken };
    });

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

    it.effect("sends no dot if beforeDot refuses", () =>
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

    it.effect("returns the reply to each recipient, and submits for the accepted ones", () =>
      Effect.gen(function* () {
        const from = yield* account;
        yield* (yield* MailTransportControl).behave({ rcpt: { "mid@y.test": LATER, "no@y.test": NEVER } });
        const { outcome, marks, taken } = yield* send(from, ["yes@y.test", "mid@y.test", "no@y.test"]);
        assert.strictEqual(outcome._tag, "Answered");
        assert.deepStrictEqual(
          taken.map(({ recipients }) => recipients),
          [["yes@y.test"]],
        );
        const { replies } = marks[0]!;
        assert.strictEqual(replies.get("yes@y.test")?.code, 250);
        assert.deepStrictEqual(replies.get("mid@y.test"), LATER);
        assert.deepStrictEqual(replies.get("no@y.test"), NEVER);
      }),
    );

    const refusals: ReadonlyArray<readonly [string, SmtpBehaviour, (outcome: AttemptOutcome) => void]> = [
      [
        "every recipient",
        { rcpt: { "a@y.test": NEVER, "b@y.test": LATER } },
        (outcome) => {
          assert.strictEqual(outcome._tag, "RecipientsRefused");
          const { replies } = outcome as { replies: RecipientReplies };
          assert.deepStrictEqual([replies.get("a@y.test"), replies.get("b@y.test")], [NEVER, LATER]);
        },
      ],
      [
        "the sender",
        { mail: NEVER },
        (outcome) => assert.deepStrictEqual(outcome, { _tag: "SenderRefused", reply: NEVER }),
      ],
      [
        "the message before it is written",
        { data: LATER },
        (outcome) => assert.deepStrictEqual(outcome, { _tag: "MessageRefused", reply: LATER }),
      ],
      ["the credential", { auth: reply(535, "5.7.8") }, (outcome) => assert.strictEqual(outcome._tag, "AuthRefused")],
      [
        "the login for now",
        { auth: reply(454, "4.7.0") },
        (outcome) => assert.deepInclude(outcome, { _tag: "NotSent", reason: "busy" }),
      ],
    ];
    for (const [what, behaviour, check] of refusals) {
      it.effect(`reports that ${what} was refused, without calling beforeDot`, () =>
        Effect.gen(function* () {
          const from = yield* account;
          yield* (yield* MailTransportControl).behave(behaviour);
          const { outcome, marks, taken } = yield* send(from, ["a@y.test", "b@y.test"]);
          check(outcome);
          assert.deepStrictEqual([marks.length, taken.length], [0, 0]);
          yield* (yield* MailTransportControl).behave({});
          assert.strictEqual((yield* send(from, ["a@y.test"])).outcome._tag, "Answered");
        }),
      );
    }

    for (const [code, enhanced] of [
      [451, "4.3.0"],
      [554, "5.6.0"],
    ] as const) {
      it.effect(`reports the reply ${code} to the dot`, () =>
        Effect.gen(function* () {
          const from = yield* account;
          yield* (yield* MailTransportControl).behave({ dot: reply(code, enhanced) });
          const { outcome, taken } = yield* send(from, ["a@y.test"]);
          assert.deepStrictEqual(outcome, { _tag: "Answered", reply: reply(code, enhanced) });
          assert.lengthOf(taken, 0);
          yield* (yield* MailTransportControl).behave({});
          assert.strictEqual((yield* send(from, ["a@y.test"])).outcome._tag, "Answered");
        }),
      );
    }

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

    it.effect("reports NotSent if the connection ends before the dot", () =>
      Effect.gen(function* () {
        const from = yield* account;
        yield* (yield* MailTransportControl).behave({ body: "cut" });
        const { outcome, taken } = yield* send(from, ["a@y.test"], { message: slow });
        assert.deepInclude(outcome, { _tag: "NotSent", reason: "connection_cut" });
        assert.lengthOf(taken, 0);
      }),
    );

    for (const said of [LATER, NEVER, reply(250, "2.0.0")]) {
      it.effect(`sends no dot after the server replied ${said.code} in the middle of the message`, () =>
        Effect.gen(function* () {
          const from = yield* account;
          yield* (yield* MailTransportControl).behave({ body: said });
          const { outcome, taken } = yield* send(from, ["a@y.test"], { message: slow });
          if (said.code === 250) assert.strictEqual(outcome._tag, "NotSent");
          else assert.deepStrictEqual(outcome, { _tag: "MessageRefused", reply: said });
          assert.lengthOf(taken, 0);
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

    it.effect("refuses a message larger than the server's limit", () =>
      Effect.gen(function* () {
        const from = yield* account;
        const { outcome, marks } = yield* send(from, ["a@y.test"], { size: 2 ** 40 });
        const limit = yield* (yield* MailTransport).maxMessageBytes;
        assert.deepStrictEqual(outcome, { _tag: "TooLarge", limit: Option.getOrThrow(limit) });
        assert.lengthOf(marks, 0);
      }),
    );

    it.effect("reports an unreachable server, and works once it is back", () =>
      Effect.gen(function* () {
        const control = yield* MailTransportControl;
        const from = yield* account;
        assert.strictEqual((yield* send(from, ["a@y.test"])).outcome._tag, "Answered");
        yield* control.stop;
        const down = yield* Effect.ensuring(send(from, ["a@y.test"]), control.start);
        assert.deepInclude(down.outcome, { _tag: "NotSent", reason: "unreachable" });
        assert.strictEqual((yield* send(from, ["a@y.test"])).outcome._tag, "Answered");
      }),
    );

    it.effect("fails without a credential, and uses a new one", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const { account: from, credential } = yield* (yield* MailTransportControl).newAccount;
        assert.strictEqual((yield* Effect.flip(send(from, ["a@y.test"])))._tag, "MailboxCredentialsRejected");
        yield* vault.keep(from, { username: credential.username, password: Redacted.make("wrong") });
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

/** A slow message, so that the server can reply in the middle. */
const slow = Stream.fromIterable([MESSAGE, MESSAGE, MESSAGE]).pipe(
  Stream.map(bytes),
  Stream.tap(() => Effect.sleep("100 millis")),
);
