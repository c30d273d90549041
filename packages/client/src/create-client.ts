import { type PosternClient, sessionClient } from "./PosternClient.ts";
import { type ServiceClient, serviceClient } from "./ServiceClient.ts";
import type { ClientOptions, KeyOptions } from "./session/ClientOptions.ts";

/** Returns a client of the service at `baseUrl`, with a service key or a session. It runs in every environment with `fetch`. */
export const createClient: {
  (options: KeyOptions): ServiceClient;
  (options: ClientOptions): PosternClient;
} = (options: KeyOptions | ClientOptions): never =>
  ("key" in options ? serviceClient(options) : sessionClient(options)) as never;
