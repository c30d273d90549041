import { PREFIX } from "../api/prefix.ts";

const CACHE = "postern-pictures";

const addressOf = (cid: string): string => `/pictures/${encodeURIComponent(cid)}`;

/** Keeps a picture of a draft, so that it is shown after a reload even if the service is unreachable. Pages without https have no cache. */
export const keepPicture = async (cid: string, picture: Blob): Promise<void> => {
  if (!("caches" in window)) return;
  await (await caches.open(CACHE)).put(addressOf(cid), new Response(picture)).catch(() => {});
};

/** Returns a picture of a draft as a data URL, from this browser, otherwise from the upload. */
export const pictureOf = async (cid: string, uploadId: string | undefined): Promise<string | null> =>
  (await keptPicture(cid)) ?? (uploadId === undefined ? null : uploadedPicture(uploadId));

const uploadedPicture = async (id: string): Promise<string | null> => {
  const answer = await fetch(`${PREFIX}/api/uploads/${encodeURIComponent(id)}`).catch(() => null);
  return answer?.ok === true ? dataUrl(await answer.blob()) : null;
};

const keptPicture = async (cid: string): Promise<string | null> => {
  if (!("caches" in window)) return null;
  const found = await (await caches.open(CACHE)).match(addressOf(cid));
  return found === undefined ? null : dataUrl(await found.blob());
};

/** Removes the pictures of all drafts. */
export const dropPictures = async (): Promise<void> => {
  if ("caches" in window) await caches.delete(CACHE);
};

export const dataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(blob);
  });
