export * from "./MessageParserInProcess.ts";
export * from "./messages/MessageParser.ts";
export type { MimeOptions } from "./MimeOptions.ts";
export * from "./parsed-message.ts";
