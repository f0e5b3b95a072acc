// Keeps the files of this site, and nothing else: what the page asks of other origins is not touched.

const CACHE = "skillshelf-playground-__VERSION__";
const FILES = __FILES__;

self.addEventListener("install", (event) => {
  const kept = caches.open(CACHE).then((cache) => cache.addAll(FILES));
  event.waitUntil(kept.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => {
    const ours = names.filter((name) => name.startsWith("skillshelf-playground-"));
    return Promise.all(ours.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  });
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith(kept(request));
});

/** What is kept of this version; only what is not goes over the network. */
async function kept(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}
