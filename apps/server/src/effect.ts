export { RequestAuthority } from "@postern/http-api";
export { PosternService } from "./embedded/PosternService.ts";
export type { Settings } from "./embedded/PosternOptions.ts";
export { ConfigError } from "./settings/environment.ts";
export type { Behind, Replacements, Service } from "./wiring/service.ts";
