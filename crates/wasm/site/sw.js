// Answers every request below this folder: the files of the site from the cache, so that they are there offline, and all other
// addresses by the worker of the page that asks.

importScripts("rewrite.js");

/** The checksum of all files, and their names, put in by the build: another checksum is another version. */
const VERSION = "VERSION";
const FILES = ["FILES"];

const base = new URL(self.registration.scope);
const CACHE = `balpan-${base.pathname}-${VERSION}`;
/** How long a page may take to accept a request. */
const ACCEPT_MS = 3000;

self.addEventListener("install", (event) => {
  const fill = async () => (await caches.open(CACHE)).addAll(FILES);
  event.waitUntil(fill().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const others = async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith(`balpan-${base.pathname}-`) && name !== CACHE);
    await Promise.all(names.map((name) => caches.delete(name)));
  };
  event.waitUntil(others().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return;
  const path = url.pathname.slice(base.pathname.length);
  const isTop = event.request.mode === "navigate" && event.request.destination === "document";
  if (FILES.includes(path)) event.respondWith(file(path));
  else if (isTop) event.respondWith(frame());
  else event.respondWith(forward(event, `/${path}${url.search}`));
});

async function file(path) {
  return (await (await caches.open(CACHE)).match(new URL(path, base))) ?? fetch(new URL(path, base));
}

/** The frame of all pages. Its own files are beside it, whatever the address. */
async function frame() {
  const text = await (await file("index.html")).text();
  return new Response(text.replace("<head>", `<head>\n<base href="${base.pathname}">`), { headers: { "content-type": "text/html; charset=utf-8" } });
}

/** The frame of each page. */
const frames = new Map();

async function forward(event, url) {
  const windows = await self.clients.matchAll({ type: "window" });
  const known = windows.find((client) => client.id === frames.get(event.clientId));
  // The one that had the focus last is the first.
  const candidates = [known, ...windows.filter((client) => client.frameType === "top-level")].filter(Boolean);
  const { request } = event;
  const headers = [...request.headers].filter(([name]) => ["accept", "content-type", "if-none-match"].includes(name));
  const body = request.method === "POST" ? await request.text() : null;
  const asked = { method: request.method, url, headers, body, isPage: request.mode === "navigate" };
  for (const client of candidates) {
    const response = await ask(client, asked);
    if (response && event.resultingClientId) frames.set(event.resultingClientId, client.id);
    if (response) return response;
  }
  return new Response("This page has no frame that computes it: reload it.", { status: 503, headers: { "content-type": "text/plain" } });
}

/** Resolves to null if the page does not accept the request. */
function ask(client, request) {
  return new Promise((resolve) => {
    const { port1: port, port2 } = new MessageChannel();
    const late = setTimeout(() => resolve(null), ACCEPT_MS);
    let stream, type;
    port.onmessage = ({ data: { accepted, head, part, end, error } }) => {
      if (accepted) clearTimeout(late);
      if (head) {
        type = head.headers.find(([name]) => name === "content-type")?.[1] ?? "";
        const content = new ReadableStream({ start: (controller) => (stream = controller), cancel: () => port.postMessage({ left: true }) });
        const isEmpty = [204, 205, 304].includes(head.status);
        resolve(new Response(isEmpty ? null : content, { status: head.status, headers: head.headers.map(moved) }));
      }
      if (part) stream.enqueue(rewritten(part, type));
      if (end) stream.close();
      if (error !== undefined) {
        if (stream) stream.error(new Error(error));
        else resolve(new Response(error, { status: 503, headers: { "content-type": "text/plain; charset=utf-8", "retry-after": "5" } }));
      }
      if (end || error !== undefined) port.close();
    };
    client.postMessage({ request }, [port2]);
  });
}

/** A header, with the address of a redirect below this folder, and with the page allowed in its frame. */
function moved([name, value]) {
  if (name === "location" && value.startsWith("/")) return [name, base.pathname + value.slice(1)];
  if (name === "content-security-policy") return [name, value.replace("frame-ancestors 'none'", "frame-ancestors 'self'")];
  return [name, value];
}

/** Text of the module, with the addresses that it has here. */
function rewritten(bytes, type) {
  if (!/^(text\/html|text\/event-stream|image\/svg)/.test(type)) return bytes;
  return new TextEncoder().encode(rewrite(new TextDecoder().decode(bytes), base.pathname, base.href));
}
