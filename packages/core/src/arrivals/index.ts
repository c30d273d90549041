export * from "./AccountWatcher.ts";
export * from "./ArrivalSync.ts";
export * from "./InboxFollowing.ts";
export * from "./module.ts";
