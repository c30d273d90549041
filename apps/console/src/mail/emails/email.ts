import type { ApiAnswer } from "@postern/client/browser";

/** A message in a listing. */
export type Email = ApiAnswer<"GET /api/inbox">["emails"][number];
