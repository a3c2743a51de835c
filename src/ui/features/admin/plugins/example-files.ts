/** Sources of the example plugins by their path; a chunk of its own, for whoever makes a new plugin. */
export const exampleFiles = import.meta.glob<string>("../../../../plugins/examples/*.{py,ts}", {
  query: "?raw",
  import: "default",
  eager: true,
});
