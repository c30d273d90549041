export * from "./in-process.ts";
export * from "./messages/MessageParser.ts";
export type { MimeOptions } from "./MimeOptions.ts";
export * from "./parsed-message.ts";
