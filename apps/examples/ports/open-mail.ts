import { createPostern, type Postern } from "@postern/server";
import { mailApi } from "./mail-api.ts";
import { objectStore } from "./object-store.ts";

/** Opens Postern with its uploads in an object store, and its mail sent by an API. */
export const openMail = async (dataDir: string, bucket: string, api: string): Promise<Postern> => {
  const ports = { uploads: objectStore(bucket), mailTransport: mailApi(api) };
  const postern = await createPostern({ dataDir, sandbox: true, ports });
  await postern.start();
  return postern;
};
