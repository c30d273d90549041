import type { LockRows } from "../Engine.ts";

/** Nobody else is in while a transaction runs. */
export const lockRows: LockRows = (query) => query;
