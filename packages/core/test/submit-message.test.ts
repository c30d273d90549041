import { assert, it } from "@effect/vitest";
import { AccountDirectory } from "../src/accounts/index.ts";
import { AgentGrantRecords } from "../src/assistants/index.ts";
import { CredentialVault, ServiceKeys } from "../src/auth/index.ts";
import { MailServerError } from "../src/mail/index.ts";
import { MailTransport } from "../src/send/index.ts";
import { Effect, Layer, Stream } from "effect";
import { messageSubmission, submitMessage } from "../src/send/outgoing/submit-message.ts";
import { outgoing } from "./outgoing.ts";

it.effect.each([
  ["unreachable", "unreachable"],
  ["timeout", "timeout"],
  ["untrusted", "untrusted"],
  ["flood", "flood"],
  ["provider_unavailable", "busy"],
  ["credential_unreadable", "busy"],
  ["sign_in_unclear", "busy"],
] as const)("a message that waits because of %s at the mail server has the failure %s", ([reason, told]) =>
  Effect.gen(function* () {
    const failure = new MailServerError({ reason, operation: "login", detail: "why" });
    const submission = yield* Effect.provide(messageSubmission, [
      Layer.mock(MailTransport, { deliver: () => failure }),
      Layer.mock(AccountDirectory, { find: () => Effect.succeedNone }),
      Layer.mock(CredentialVault, {}),
      Layer.mock(ServiceKeys, {}),
      Layer.mock(AgentGrantRecords, {}),
    ]);
    const held = { token: "mine", until: Infinity };
    const outcome = yield* submitMessage(submission, outgoing(), held, 1, Stream.empty, () => Effect.succeed(true));
    assert.deepStrictEqual(outcome, { _tag: "NotSent", reason: told, detail: "why" });
  }),
);
