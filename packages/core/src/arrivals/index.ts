export * from "./AccountWatcher.ts";
export * from "./arrival-fields.ts";
export * from "./ArrivalSync.ts";
export * from "./InboxFollower.ts";
export * from "./RefusalReports.ts";
export * from "./module.ts";
