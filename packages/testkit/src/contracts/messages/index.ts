export * from "./find-in.ts";
export * from "./inbox-paging-contract.ts";
export * from "./mailbox-reader-contract.ts";
export * from "./message-changes-contract.ts";
export * from "./message-parser-contract.ts";
export * from "./message-reader-contract.ts";
export * from "./message-search-contract.ts";
export * from "./search-paging-contract.ts";
