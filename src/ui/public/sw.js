// What the installed app needs beside the page: a page for times without a connection, what other apps share with it, and
// notifications. It keeps no answers of the service and no files of the app: those come from the network each time, so an
// update needs nothing of it.
const shell = "parley-shell-1";
const shared = "parley-shared";
const offline = "./offline.html";

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

/** A copy, because an answer that came by a redirect is refused for a page. */
async function keepShell() {
  const response = await fetch(offline, { cache: "reload" });
  if (!response.ok) throw new Error(`The page for times without a connection: ${response.status}`);
  const cache = await caches.open(shell);
  await cache.put(offline, new Response(await response.blob(), { headers: response.headers }));
}

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("parley-shell-") && name !== shell);
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(old(names).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode !== "navigate") return;
  const share = new URL("share", self.registration.scope);
  if (request.method === "POST" && new URL(request.url).pathname === share.pathname) {
    event.respondWith(takeShared(request));
    return;
  }
  if (request.method !== "GET") return;
  event.respondWith(fetch(request).catch(async () => (await caches.match(offline)) ?? Response.error()));
});

/** At most this much is kept of what is shared; the service has limits of its own for uploads. */
const maxFiles = 20;

/** Keeps what another app shares until the page has it, and opens the page. */
async function takeShared(request) {
  const form = await request.formData();
  await caches.delete(shared);
  const cache = await caches.open(shared);
  const texts = ["title", "text", "url"]
    .map((name) => form.get(name))
    .filter((text) => typeof text === "string" && text);
  await cache.put("./shared/text", new Response([...new Set(texts)].join("\n\n")));
  const files = form.getAll("files").filter((file) => file instanceof File);
  for (const [at, file] of files.slice(0, maxFiles).entries()) {
    const headers = {
      "content-type": file.type || "application/octet-stream",
      "x-name": encodeURIComponent(file.name),
    };
    await cache.put(`./shared/file/${at}`, new Response(file, { headers }));
  }
  return Response.redirect(new URL("./?shared=1", self.registration.scope), 303);
}

self.addEventListener("message", (event) => {
  if (event.data?.type === "notify") event.waitUntil(notify(event.data));
});

/** Shows a notification unless somebody looks at what it is about. Of one thing in several tabs there is one. */
async function notify({ title, body, tag, path }) {
  const url = new URL(path, self.registration.scope).href;
  const windows = await self.clients.matchAll({ type: "window" });
  if (windows.some((client) => client.focused && client.url.split(/[?#]/u)[0] === url.split(/[?#]/u)[0])) return;
  await self.registration.showNotification(title, { body, tag, icon: "./icons/app-192.png", data: { url } });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

async function open(url) {
  const [window] = await self.clients.matchAll({ type: "window" });
  if (!window) return self.clients.openWindow(url);
  await window.focus();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client of a worker takes none
  window.postMessage({ type: "open", url });
}
