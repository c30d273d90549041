import { assert, it } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import { CredentialVault } from "@postern/core/auth";
import { MailboxReader } from "@postern/core/messages";
import { MailInMemory, MailServerInMemory, MailWorld, StoresInMemory } from "@postern/memory";
import { passwordsOnly } from "@postern/testkit";
import { Effect, Layer, Redacted } from "effect";

const ME = "me@postern.test";
const World = Layer.sync(MailWorld, () => new MailServerInMemory(1));
const Mail = MailInMemory.pipe(
  Layer.provide(passwordsOnly),
  Layer.provideMerge(StoresInMemory),
  Layer.provideMerge(World),
);

const opened = Effect.gen(function* () {
  const account = (yield* MailWorld).addAccount(ME, "right");
  account.create("Work").append(new TextEncoder().encode("Subject: x\r\n\r\n"), 0);
  yield* (yield* CredentialVault).keep(ME as AccountId, {
    _tag: "Password",
    username: ME,
    password: Redacted.make("right"),
  });
  return { account, view: yield* (yield* MailboxReader).view(ME as AccountId, "Work") };
});

// Dovecot sends "BYE ... Mailbox was deleted under us".
it.effect.each(["delete", "rename"] as const)("a view ends when another session %ss its mailbox", (how) =>
  Effect.gen(function* () {
    const { account, view } = yield* opened;
    assert.lengthOf(yield* view.messages(1, 1), 1);
    if (how === "delete") account.delete("Work");
    else account.rename("Work", "Play");
    for (const reading of [view.messages(1, 1), view.positionBelow(9)]) {
      assert.deepInclude(yield* Effect.flip(reading as Effect.Effect<unknown, unknown>), {
        _tag: "MailServerError",
        reason: "unreachable",
      });
    }
  }).pipe(Effect.scoped, Effect.provide(Mail)),
);

it.effect("a password changed at the server is detected, and the credential is not tried again [S3.7-2]", () =>
  Effect.gen(function* () {
    yield* opened;
    const world = yield* MailWorld;
    const reader = yield* MailboxReader;
    world.addAccount(ME, "changed");
    const refused = Effect.flip(reader.view(ME as AccountId, "Work"));
    assert.strictEqual((yield* refused)._tag, "MailboxCredentialsRejected");
    world.addAccount(ME, "right");
    assert.strictEqual((yield* refused)._tag, "MailboxCredentialsRejected");
  }).pipe(Effect.scoped, Effect.provide(Mail)),
);
