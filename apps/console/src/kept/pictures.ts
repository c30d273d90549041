import { PREFIX } from "../api/prefix.ts";
import { accountHeader, currentAccount } from "../api/signed-in.ts";

const CACHE = "postern-pictures";

const folderOf = (account: string): string => `/pictures/${encodeURIComponent(account)}/`;

const addressOf = (cid: string): string => folderOf(currentAccount() ?? "") + encodeURIComponent(cid);

/**
 * Keeps a picture of a draft, so that the picture is shown after a reload even if the service is unreachable. Pages
 * without https have no cache.
 */
export const keepPicture = async (cid: string, picture: Blob): Promise<void> => {
  if (!("caches" in window)) return;
  await (await caches.open(CACHE)).put(addressOf(cid), new Response(picture)).catch(() => {});
};

/** Returns a picture of a draft as a data URL, from this browser, otherwise from the upload. */
export const pictureOf = async (cid: string, uploadId: string | undefined): Promise<string | null> =>
  (await keptPicture(cid)) ?? (uploadId === undefined ? null : uploadedPicture(uploadId));

const uploadedPicture = async (id: string): Promise<string | null> => {
  const url = `${PREFIX}/api/uploads/${encodeURIComponent(id)}`;
  const answer = await fetch(url, { headers: accountHeader() }).catch(() => null);
  return answer?.ok === true ? dataUrl(await answer.blob()) : null;
};

const keptPicture = async (cid: string): Promise<string | null> => {
  if (!("caches" in window)) return null;
  const found = await (await caches.open(CACHE)).match(addressOf(cid));
  return found === undefined ? null : dataUrl(await found.blob());
};

/** Removes the pictures of an account's drafts. */
export const dropPictures = async (account: string): Promise<void> => {
  if (!("caches" in window)) return;
  const cache = await caches.open(CACHE);
  const kept = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(folderOf(account)));
  await Promise.all(kept.map((one) => cache.delete(one)));
};

export const dataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(blob);
  });
