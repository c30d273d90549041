import { assert, type Vitest } from "@effect/vitest";
import type { CredentialVault } from "@postern/core/auth";
import type { AttemptOutcome, MailTransport, RecipientReplies } from "@postern/core/send";
import { Effect } from "effect";
import { MailTransportControl } from "../../../controls/MailTransportControl.ts";
import type { SmtpBehaviour } from "../../../controls/SmtpBehaviour.ts";
import { account, TEMPORARY, PERMANENT, reply, send, slow } from "../mail-transport-attempts.ts";

/** The part of the contract of `MailTransport` about a server that answers in steps, as SMTP does. */
export const answersInSteps = (
  it: Vitest.MethodsNonLive<MailTransport | CredentialVault | MailTransportControl>,
): void => {
  it.effect("returns the reply to each recipient, and submits for the accepted ones", () =>
    Effect.gen(function* () {
      const from = yield* account;
      yield* (yield* MailTransportControl).behave({ rcpt: { "mid@y.test": TEMPORARY, "no@y.test": PERMANENT } });
      const { outcome, marks, taken } = yield* send(from, ["yes@y.test", "mid@y.test", "no@y.test"]);
      assert.strictEqual(outcome._tag, "Answered");
      assert.deepStrictEqual(
        taken.map(({ recipients }) => recipients),
        [["yes@y.test"]],
      );
      const { replies } = marks[0]!;
      assert.strictEqual(replies.get("yes@y.test")?.code, 250);
      assert.deepStrictEqual(replies.get("mid@y.test"), TEMPORARY);
      assert.deepStrictEqual(replies.get("no@y.test"), PERMANENT);
    }),
  );

  const refusals: ReadonlyArray<readonly [string, SmtpBehaviour, (outcome: AttemptOutcome) => void]> = [
    [
      "every recipient",
      { rcpt: { "a@y.test": PERMANENT, "b@y.test": TEMPORARY } },
      (outcome) => {
        assert.strictEqual(outcome._tag, "RecipientsRefused");
        const { replies } = outcome as { replies: RecipientReplies };
        assert.deepStrictEqual([replies.get("a@y.test"), replies.get("b@y.test")], [PERMANENT, TEMPORARY]);
      },
    ],
    [
      "the sender",
      { mail: PERMANENT },
      (outcome) => assert.deepStrictEqual(outcome, { _tag: "SenderRefused", reply: PERMANENT }),
    ],
    [
      "the message before it is written",
      { data: TEMPORARY },
      (outcome) => assert.deepStrictEqual(outcome, { _tag: "MessageRefused", reply: TEMPORARY }),
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

  it.effect("reports NotSent if the connection ends before the dot", () =>
    Effect.gen(function* () {
      const from = yield* account;
      yield* (yield* MailTransportControl).behave({ body: "cut" });
      const { outcome, taken } = yield* send(from, ["a@y.test"], { message: slow });
      assert.deepInclude(outcome, { _tag: "NotSent", reason: "connection_cut" });
      assert.lengthOf(taken, 0);
    }),
  );

  for (const said of [TEMPORARY, PERMANENT, reply(250, "2.0.0")]) {
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
};
