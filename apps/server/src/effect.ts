export { RequestAuthority } from "@postern/http-api";
export { PosternService } from "./embedded/PosternService.ts";
export type { Settings } from "./embedded/PosternOptions.ts";
export { ConfigError } from "./environment.ts";
export type { Behind, Replacements, Service } from "./service.ts";
