// The service worker: keeps the files of the console, so that it opens without a network. `build.mjs` writes the list
// of files below; a new list makes browsers install a new worker.
const FILES = [];

const SHELL = "postern-shell ";
const scope = new URL(self.registration.scope).pathname;
const cacheName = async () => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(FILES.join()));
  return SHELL + [...new Uint8Array(digest.slice(0, 8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

const install = async () => {
  const cache = await caches.open(await cacheName());
  await cache.addAll(FILES.map((file) => scope + file));
  await self.skipWaiting();
};

/** Keeps the files of the previous build too: an open page may still load code from it. */
const activate = async () => {
  const current = await cacheName();
  const earlier = (await caches.keys()).filter((name) => name.startsWith(SHELL) && name !== current);
  await Promise.all(earlier.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
};

/** Returns the kept file that stands for a page without a network; undefined for pages that are not the console's. */
const keptPage = (path) => {
  if (path === "message" || path === "message-with-images") return path;
  return /^(mail|search|compose|outbox|settings|accounts)?(\/|$)/.test(path) ? "" : undefined;
};

/** The network first, so that a new build is shown at once. */
const page = async (request, file) => {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await (await caches.open(await cacheName())).match(scope + file);
    if (found === undefined) throw error;
    return found;
  }
};

const kept = async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || !pathname.startsWith(scope)) return;
  const path = pathname.slice(scope.length);
  if (request.mode === "navigate") {
    const file = keptPage(path);
    if (file !== undefined) event.respondWith(page(request, file));
  } else if (FILES.includes(path) || path.startsWith("assets/")) event.respondWith(kept(request));
});
