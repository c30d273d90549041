export * from "./parsed-message.ts";
