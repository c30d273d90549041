import type { Operation } from "../contract/Operation.ts";

/**
 * Returns whether an operation also exists for the whole service. Without an account, an endpoint belongs to the
 * application of the key that created it, and the feed has all accounts that the key reaches.
 */
export const isOfServices = ({ of, call }: Pick<Operation, "of" | "call">): boolean =>
  of === "service" || call.startsWith("webhooks.") || call === "changes.list";
