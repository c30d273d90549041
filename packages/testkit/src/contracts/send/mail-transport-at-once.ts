import { assert, type Vitest } from "@effect/vitest";
import type { CredentialVault } from "@postern/core/auth";
import type { MailTransport } from "@postern/core/send";
import { Effect } from "effect";
import { MailTransportControl } from "../../controls/MailTransportControl.ts";
import type { SmtpBehaviour } from "../../controls/SmtpBehaviour.ts";
import { account, TEMPORARY, PERMANENT, send } from "./mail-transport-attempts.ts";

const refusals: ReadonlyArray<readonly [string, SmtpBehaviour, number]> = [
  ["one of the recipients", { rcpt: { "b@y.test": PERMANENT } }, 5],
  ["one of the recipients for now", { rcpt: { "b@y.test": TEMPORARY } }, 4],
  ["the sender", { mail: PERMANENT }, 5],
  ["the message", { dot: PERMANENT }, 5],
  ["the message for now", { dot: TEMPORARY }, 4],
];

/**
 * The part of the contract of `MailTransport` about a server that accepts or refuses a message for all recipients at
 * once, as a mail API over HTTP does. Only the class of the answer is compared, because such servers have their own
 * codes.
 */
export const answersAtOnce = (
  it: Vitest.MethodsNonLive<MailTransport | CredentialVault | MailTransportControl>,
): void => {
  it.effect("calls beforeDot with a positive reply for each recipient", () =>
    Effect.gen(function* () {
      const { marks } = yield* send(yield* account, ["a@y.test", "b@y.test"]);
      const classes = marks.map(({ replies }) => [...replies.values()].map(({ code }) => Math.floor(code / 100)));
      assert.deepStrictEqual(classes, [[2, 2]], "whether the server accepts a recipient is known after beforeDot only");
    }),
  );

  for (const [what, behaviour, kind] of refusals) {
    it.effect(`reports Answered, with a code ${kind}xx, if the server refuses ${what}`, () =>
      Effect.gen(function* () {
        const from = yield* account;
        yield* (yield* MailTransportControl).behave(behaviour);
        const { outcome, marks, taken } = yield* send(from, ["a@y.test", "b@y.test"]);
        assert.strictEqual(outcome._tag, "Answered");
        if (outcome._tag === "Answered") assert.strictEqual(Math.floor(outcome.reply.code / 100), kind);
        assert.deepStrictEqual([marks.length, taken.length], [1, 0]);
        yield* (yield* MailTransportControl).behave({});
        assert.strictEqual((yield* send(from, ["a@y.test"])).outcome._tag, "Answered");
      }),
    );
  }
};
