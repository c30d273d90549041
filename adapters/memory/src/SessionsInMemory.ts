import { type Session, Sessions } from "@postern/core";
import { Effect, Layer, Option } from "effect";

/** Sessions that last as long as the process. */
export const SessionsInMemory = Layer.sync(Sessions, () => {
  const sessions = new Map<string, Session>();
  return {
    insert: (session) => Effect.sync(() => void sessions.set(session.id, session)),
    find: (id) => Effect.sync(() => Option.fromUndefinedOr(sessions.get(id))),
  };
});
