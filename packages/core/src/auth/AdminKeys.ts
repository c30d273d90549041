import { Context, type Redacted } from "effect";

/** The keys of the operator (`ADMIN_KEY`): two during a rotation, none if administration over HTTP is off. */
export const AdminKeys = Context.Reference<ReadonlyArray<Redacted.Redacted>>("@postern/core/auth/AdminKeys", {
  defaultValue: () => [],
});
