import { Schema } from "effect";
import { AddressText, entriesUpTo, Moment, PositiveInt, RecordId, rule, Text, textUpTo } from "../shared/rules.ts";
import { SCOPES } from "./scopes.ts";

/** The rules of the fields of a sign-in and of its tokens (spec 3). */
export const signInFields = {
  email: AddressText,
  password: textUpTo(1024),
  refreshToken: textUpTo(4096),
};

const Scope = Schema.Literals(SCOPES).annotate({ identifier: "Scope", description: "What a service key may do." });

/** The base64 length of a 32 KiB image, and the base64 characters at the start of every PNG. */
const MAX_LOGO_CHARS = 43_692;
const PNG_BASE64 = /^iVBORw0KGgo[A-Za-z0-9+/]*={0,2}$/;

const lineUpTo = (characters: number) =>
  textUpTo(characters).check(rule((text) => (/[\p{Cc}\u2028\u2029]/u.test(text) ? "must be one line" : undefined)));

/** A recipient in a policy: the word `thread`, an address, or `@` and a domain. */
const RECIPIENT = /^(?:thread|[^\s@"(),:;<>[\\\]\p{Cc}]{0,64}@[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}.-]*[\p{L}\p{N}])?)$/u;

/** The rules of a sending policy (spec 13.1). */
const SendPolicy = Schema.Struct({
  to: Schema.Array(
    AddressText.check(
      rule((text) => (RECIPIENT.test(text) ? undefined : "must be thread, an address, or @ and a domain")),
    ),
  ).check(Schema.isMaxLength(100, { message: "must have at most 100 entries" })),
  perDay: Schema.optionalKey(PositiveInt),
  approval: Schema.Literals(["always", "outside", "never"]),
});

/** The rules of the fields of a service key and of an application (spec 10.2). */
export const keyFields = {
  name: textUpTo(200),
  application: RecordId,
  scopes: Schema.Array(Scope).check(...entriesUpTo(10, "entries")),
  accounts: Schema.Array(textUpTo(512)).check(...entriesUpTo(1_000, "entries")),
  networks: Schema.Array(textUpTo(64)).check(...entriesUpTo(100, "entries")),
  expiresAt: Moment,
  sendPerDay: PositiveInt,
  sendPolicy: SendPolicy,
  notify: AddressText,
  /** The action on waiting messages when a key or an application is deleted. */
  mail: Schema.Literals(["keep", "hold", "cancel"]),
  displayName: lineUpTo(100),
  purpose: lineUpTo(300),
  colour: Text.check(rule((text) => (/^#[0-9a-f]{6}$/i.test(text) ? undefined : "must be a colour such as #0c5c4f"))),
  logo: textUpTo(MAX_LOGO_CHARS).check(rule((text) => (PNG_BASE64.test(text) ? undefined : "must be a PNG in base64"))),
};
