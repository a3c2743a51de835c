/** Sources of the example plugins by their path. A chunk of its own, loaded only for a new plugin. */
export const exampleFiles = import.meta.glob<string>("../../../../plugins/examples/*.{py,ts}", {
  query: "?raw",
  import: "default",
  eager: true,
});
