export { createPostern } from "./embedded/create-postern.ts";
export type * from "./embedded/operations.d.ts";
export type * from "./embedded/Postern.ts";
export { type FieldFault, PosternError } from "./embedded/PosternError.ts";
export type { PosternLogger } from "./embedded/PosternLogger.ts";
export type { PosternOptions, Settings } from "./embedded/PosternOptions.ts";
export type * from "./embedded/ports/PosternMailTransport.ts";
export type { PosternPorts } from "./embedded/ports/PosternPorts.ts";
export type { PosternUploads } from "./embedded/ports/PosternUploads.ts";
