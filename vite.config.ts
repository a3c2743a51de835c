import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  root: "src/ui",
  plugins: [svelte()],
  build: {
    outDir: "../../dist/ui",
    emptyOutDir: true,
    target: "es2023",
    // A preload polyfill is 1 KB of script for browsers that cannot run the rest anyway.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
