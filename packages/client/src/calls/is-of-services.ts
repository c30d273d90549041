import type { Operation } from "../contract/Operation.ts";

/**
 * Whether an operation is also one of the whole service. Without an account an endpoint belongs to the application whose
 * key made it, and the feed is that of all accounts that the key reaches.
 */
export const isOfServices = ({ of, call }: Pick<Operation, "of" | "call">): boolean =>
  of === "service" || call.startsWith("webhooks.") || call === "changes.list";
