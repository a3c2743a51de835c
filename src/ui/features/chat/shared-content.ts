/** What another app has shared with the installed one. */
export interface SharedContent {
  text: string;
  files: File[];
}

const place = "parley-shared";

/** Takes what the service worker (public/sw.js) keeps, once. Nothing where nothing was shared, or it cannot be read. */
export async function takeSharedContent(): Promise<SharedContent> {
  const content: SharedContent = { text: "", files: [] };
  try {
    const cache = await caches.open(place);
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      if (!response) continue;
      const name = response.headers.get("x-name");
      if (name === null) content.text = (await response.text()).trim();
      else {
        const blob = await response.blob();
        content.files.push(new File([blob], decodeURIComponent(name), { type: blob.type }));
      }
    }
    await caches.delete(place);
  } catch {
    // A browser that keeps nothing has nothing to give.
  }
  return content;
}
