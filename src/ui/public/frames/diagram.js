(() => {
  const page = window.parent;
  const { mermaid } = window;
  let last = Promise.resolve();
  let count = 0;

  async function draw({ number, text, isDark }) {
    try {
      mermaid.initialize({
        startOnLoad: false,
        securityLevel: "strict",
        theme: isDark ? "dark" : "default",
        // Fonts that a picture on its own finds too; and labels that are drawn, not HTML.
        fontFamily: "system-ui, sans-serif",
        htmlLabels: false,
        flowchart: { htmlLabels: false },
        suppressErrorRendering: true,
        maxTextSize: 50_000,
        maxEdges: 500,
      });
      const { svg } = await mermaid.render(`diagram-${(count += 1)}`, text);
      page.postMessage({ kind: "drawn", number, svg }, "*");
    } catch (error) {
      page.postMessage({ kind: "failed", number, message: String(error?.message ?? error) }, "*");
    }
  }

  addEventListener("message", ({ source, data }) => {
    if (source !== page || typeof data?.text !== "string") return;
    last = last.then(() => draw(data));
  });
  page.postMessage({ kind: "ready" }, "*");
})();
