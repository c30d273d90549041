export * from "./MessageParserInProcess.ts";
export * from "./MessageParserInWorkers.ts";
export type { MimeOptions } from "./MimeOptions.ts";
export * from "./parsed-message.ts";
