import { Effect, Layer } from "effect";
import { Inbox } from "./Inbox.ts";
import { MessageActions } from "./MessageActions.ts";
import { MessageLocator } from "./MessageLocator.ts";
import { Messages } from "./Messages.ts";
import { PageCache } from "./PageCache.ts";
import { Previews } from "./Previews.ts";
import { Search } from "./Search.ts";
import { Threads } from "./Threads.ts";

/** The domain of messages: listing, reading, changing and searching them. */
export const messages = {
  layer: Layer.mergeAll(Inbox.layer, MessageActions.layer, Search.layer, Threads.layer).pipe(
    Layer.provideMerge(Messages.layer),
    Layer.provideMerge(Layer.mergeAll(MessageLocator.layer, PageCache.layer, Previews.layer)),
  ),
  sweeps: Effect.map(MessageActions, ({ sweep }) => [sweep]),
};
