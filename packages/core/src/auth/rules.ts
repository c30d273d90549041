import { Schema } from "effect";
import { AddressText, entriesUpTo, Moment, PositiveInt, RecordId, textUpTo } from "../shared/rules.ts";
import { SCOPES } from "./scopes.ts";

/** What a sign-in and its tokens may be (spec 3). */
export const signInFields = {
  email: AddressText,
  password: textUpTo(1024),
  refreshToken: textUpTo(4096),
};

const Scope = Schema.Literals(SCOPES).annotate({ identifier: "Scope", description: "What a service key may do." });

/** What a service key may be (spec 10.2). */
export const keyFields = {
  name: textUpTo(200),
  application: RecordId,
  scopes: Schema.Array(Scope).check(...entriesUpTo(10, "entries")),
  accounts: Schema.Array(textUpTo(512)).check(...entriesUpTo(1_000, "entries")),
  networks: Schema.Array(textUpTo(64)).check(...entriesUpTo(100, "entries")),
  expiresAt: Moment,
  sendPerDay: PositiveInt,
  notify: AddressText,
};
