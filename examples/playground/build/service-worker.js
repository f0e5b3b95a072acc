// Keeps the files of this site, and nothing else: what the page asks of other origins is not touched.

/** Of this folder: another copy of the page on the same origin has a name of its own. */
const OURS = `skillshelf-playground ${self.registration.scope} `;
const CACHE = `${OURS}__VERSION__`;
const FILES = __FILES__;

// A newer version waits until no page of the older one is open: it may still need what only that has.
self.addEventListener("install", (event) => {
  // Past what the browser still has of the older version: all of one cache is of one version.
  const files = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files)));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => {
    const ours = names.filter((name) => name.startsWith(OURS));
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
  const { pathname } = new URL(request.url);
  const isPage = pathname === new URL("index.html", self.registration.scope).pathname;
  const wanted = isPage ? self.registration.scope : request;
  return (await cache.match(wanted, { ignoreSearch: true })) ?? fetch(request);
}
