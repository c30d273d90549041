import { it } from "@effect/vitest";
import { Effect, Redacted } from "effect";
import { describe, expect } from "vitest";
import { accountPatchOf, newAccountOf } from "../../src/lifecycle/account-request.ts";

const IMAP = { host: "imap.x.test", port: 993, security: "tls" } as const;
const SMTP = { host: "smtp.x.test", port: 587, security: "starttls" } as const;
const faultsOf = (written: Parameters<typeof newAccountOf>[0]) =>
  Effect.map(Effect.flip(newAccountOf(written)), ({ errors }) => errors.map(({ field }) => field));

describe("the account that a key asks for", () => {
  it.effect("has a password or a grant, and nothing that is not given", () =>
    Effect.gen(function* () {
      const made = yield* newAccountOf({ email: "me@x.test", password: "secret" });
      expect(made).toEqual({
        email: "me@x.test",
        name: null,
        secret: { _tag: "Password", password: Redacted.make("secret") },
        imap: null,
        smtp: null,
        tags: [],
      });
      const grant = { app: "corp", refreshToken: "r", delegateOf: "boss@x.test" };
      const full = yield* newAccountOf({
        email: "me@x.test",
        name: "Me",
        tags: ["vip"],
        imap: IMAP,
        smtp: SMTP,
        grant,
      });
      expect(full).toMatchObject({
        name: "Me",
        tags: ["vip"],
        imap: { host: "imap.x.test", port: 993, tls: "implicit" },
        smtp: { host: "smtp.x.test", port: 587, tls: "starttls" },
        secret: { _tag: "Named", grant: { app: "corp", delegateOf: "boss@x.test" } },
      });
      expect(full.secret._tag === "Named" && Redacted.value(full.secret.grant.refreshToken!)).toBe("r");
      const bare = yield* newAccountOf({ email: "me@x.test", grant: { app: "corp" } });
      expect(bare.secret).toEqual({ _tag: "Named", grant: { app: "corp", refreshToken: undefined } });
    }),
  );

  it.effect("needs either a password or a grant", () =>
    Effect.gen(function* () {
      expect(yield* faultsOf({ email: "me@x.test" })).toEqual(["password"]);
      expect(yield* faultsOf({ email: "me@x.test", password: "p", grant: { app: "corp" } })).toEqual(["password"]);
    }),
  );
});

it.effect("a change has only what the key names", () =>
  Effect.gen(function* () {
    expect(yield* accountPatchOf({})).toEqual({});
    expect(yield* accountPatchOf({ name: null, tags: [], paused: false })).toEqual({
      name: null,
      tags: [],
      paused: false,
    });
    expect(yield* accountPatchOf({ password: "p" })).toEqual({ password: Redacted.make("p") });
    const imap = { host: "imap.x.test", port: 993, tls: "implicit" };
    expect(yield* accountPatchOf({ imap: IMAP })).toMatchObject({ servers: { imap, smtp: null } });
    expect(yield* accountPatchOf({ smtp: SMTP })).toMatchObject({
      servers: { imap: null, smtp: { host: "smtp.x.test" } },
    });
  }),
);
