/**
 * The exemptions from the guards, by guard and by exempted item, with the reason. An unused exemption fails its guard.
 */
export const EXEMPTIONS = {
  requests: {
    "adapters/imap/src/reading/search-mailbox.ts:criteria":
      "the same search without one criterion; an unknown one throws",
  },
  rules: {
    "adapters/http-api/src/handlers/AuthHandlers.ts:id === sessionId": "clears the cookie of the session that ends",
    "adapters/http-api/src/handlers/SearchHandlers.ts:1": "a conversation has one page",
  },
  services: {
    "packages/core/src/accounts/module.ts:data": "declares what the domain keeps of accounts",
    "packages/core/src/auth/module.ts:auth": "builds a module of the engine",
    "packages/core/src/auth/module.ts:data": "declares what the domain keeps of accounts",
    "packages/core/src/drafts/module.ts:data": "declares what the domain keeps of accounts",
    "packages/core/src/folders/module.ts:data": "declares what the domain keeps of accounts",
    "packages/core/src/send/module.ts:data": "declares what the domain keeps of accounts",
    "packages/core/src/send/module.ts:send": "builds a module of the engine",
    "packages/core/src/shared/batched-writer.ts:batchedWriter": "each store has writers of its own",
    "packages/core/src/shared/leased-work.ts:leasedWorker": "builds the workers of the engine",
    "packages/core/src/watch/module.ts:data": "declares what the domain keeps of accounts",
    "packages/core/src/webhooks/module.ts:data": "declares what the domain keeps of accounts",
    "packages/core/src/webhooks/module.ts:webhooks": "builds a module of the engine",
  },
  contracts: {
    "Fingerprints fake": "pure: the harness uses the real one",
    "MailServers fake": "its simplest implementation, `fixed`, is in the core",
    "Digest fake": "pure: the harness uses the real one",
    "Hmac fake": "pure: the harness uses the real one",
    "MessageComposer fake": "pure: the harness uses the real one",
    "MessageParser fake": "its fake is in adapters/mime: the same parser without workers",
    "Tokens fake": "pure: the harness uses the real one",
    "EventSubscribers contract": "a list that the domains fill",
    "AccountWatches.isOursAlone": "a constant of each adapter",
  },
};
