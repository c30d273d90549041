import { assert, layer } from "@effect/vitest";
import { type CredentialVault, MailLogin } from "@postern/core/auth";
import { accountIdOf } from "@postern/core/shared";
import { Effect, type Layer, Option, Redacted } from "effect";
import { MailServerControl } from "../../controls/MailServerControl.ts";

const accountOf = (username: string) => Option.getOrThrow(accountIdOf(username));

/** The contract of `MailLogin` (spec 3): the mail server's verdict, equal for an unknown user and a wrong password. */
export const mailLoginContract = <E>(
  name: string,
  ports: Layer.Layer<MailLogin | CredentialVault | MailServerControl, E>,
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    const verify = Effect.fnUntraced(function* (username: string, password: string) {
      const login = yield* MailLogin;
      return yield* Effect.result(
        login.verify(accountOf(username), { _tag: "Password", username, password: Redacted.make(password) }),
      );
    });

    it.effect("accepts the account's password repeatedly", () =>
      Effect.gen(function* () {
        const { credential } = yield* (yield* MailServerControl).newAccount;
        const login = yield* MailLogin;
        yield* login.verify(accountOf(credential.username), credential);
        yield* login.verify(accountOf(credential.username), credential);
      }),
    );

    it.effect("refuses a wrong password, and still accepts the right one afterwards", () =>
      Effect.gen(function* () {
        const { credential } = yield* (yield* MailServerControl).newAccount;
        for (const wrong of [`${Redacted.value(credential.password)}x`, "", " ", "p\0q", 'quo"te\\', "two\r\nlines"]) {
          const refused = yield* verify(credential.username, wrong);
          assert.strictEqual(refused._tag === "Failure" && refused.failure._tag, "LoginRefused", JSON.stringify(wrong));
        }
        yield* (yield* MailLogin).verify(accountOf(credential.username), credential);
      }),
    );

    it.effect("refuses an unknown user with the same error [S3.2-2]", () =>
      Effect.gen(function* () {
        const { credential } = yield* (yield* MailServerControl).newAccount;
        const password = Redacted.value(credential.password);
        const wrong = yield* verify(credential.username, `${password}x`);
        const unknown = yield* verify(`unknown.${credential.username}`, password);
        assert.deepStrictEqual(unknown, wrong);
        assert.strictEqual(unknown._tag === "Failure" && unknown.failure._tag, "LoginRefused");
      }),
    );

    it.effect("refuses the password of another account", () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const one = yield* control.newAccount;
        const other = yield* control.newAccount;
        const refused = yield* verify(one.credential.username, Redacted.value(other.credential.password));
        assert.strictEqual(refused._tag === "Failure" && refused.failure._tag, "LoginRefused");
      }),
    );

    it.effect("verifies many credentials concurrently", () =>
      Effect.gen(function* () {
        const { credential } = yield* (yield* MailServerControl).newAccount;
        const password = Redacted.value(credential.password);
        // Dovecot creates a mailbox at its first login, and may refuse concurrent logins then.
        yield* verify(credential.username, password);
        const answers = yield* Effect.forEach(
          Array.from({ length: 12 }, (_, n) => n % 3 !== 0),
          (good) => verify(credential.username, good ? password : "wrong"),
          { concurrency: "unbounded" },
        );
        assert.deepStrictEqual(
          answers.map((answer) => answer._tag === "Success"),
          answers.map((_, n) => n % 3 !== 0),
        );
      }),
    );
  });
