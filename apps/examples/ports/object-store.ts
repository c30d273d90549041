import type { PosternUploads } from "@postern/server";

/** Stores the bytes of uploads in an object store with PUT, GET and DELETE. */
export const objectStore = (bucket: string): PosternUploads => {
  const ask = async (id: string, init: RequestInit) => {
    const response = await fetch(`${bucket}/${id}`, init);
    if (response.ok || response.status === 404) return response;
    throw new Error(`the object store answered ${response.status}`);
  };
  return {
    write: (id, bytes) => ask(id, { method: "PUT", body: bytes, duplex: "half" }),
    read: async (id) => {
      const { status, body } = await ask(id, {});
      return status === 404 ? null : body;
    },
    remove: (id) => ask(id, { method: "DELETE" }),
  };
};
