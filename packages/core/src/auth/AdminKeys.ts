import { Context, type Redacted } from "effect";

/** The keys of the operator (`ADMIN_KEY`): two while rotating; none if there is no administration over HTTP. */
export const AdminKeys = Context.Reference<ReadonlyArray<Redacted.Redacted>>("@postern/core/auth/AdminKeys", {
  defaultValue: () => [],
});
