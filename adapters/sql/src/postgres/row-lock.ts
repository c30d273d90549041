import type { LockRows } from "../Engine.ts";

/** Others wait for these rows until the transaction ends. */
export const lockRows: LockRows = (query) => query.forUpdate();
