// Runs before the first paint, from a file of its own so that the content security policy needs no exception.
// The theme is set here so that a dark page never flashes white; the two requests start while the app still loads.
{
  const theme = localStorage.getItem("parley:theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  // Given once, where the browser can install the page: the page of this device offers it.
  addEventListener("beforeinstallprompt", (event) => (globalThis.parleyInstall = event));
  const base = document.querySelector('meta[name="base-path"]').content;
  const start = (path) => fetch(base + path, { headers: { accept: "application/json" } });
  globalThis.parleyBoot = { config: start("/api/config"), session: start("/api/v1/auths/") };
  // The code that takes them handles the failure; without this line an offline start would also log two stray rejections.
  for (const answer of Object.values(globalThis.parleyBoot)) answer.catch(() => {});
}
