// Builds the page into the Python package; nothing built is in git. `test` is for Vitest, which runs in Node;
// what components do is tested in a browser (tests/front), and what some draw by `render` of svelte/server.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  base: "/",
  // The games' message files, which Python reads too.
  resolve: { alias: { "@qipai": fileURLToPath(new URL("../src/qipai", import.meta.url)) } },
  build: {
    outDir: "../src/qipai/server/site",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // a strict content policy allows no data: scripts
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: mode === "dev" ? ["index.html", "dev.html"] : ["index.html"],
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": "http://127.0.0.1:8137", "/ws": { target: "ws://127.0.0.1:8137", ws: true } },
  },
  test: {
    include: ["src/**/*.test.ts"],
    restoreMocks: true,
    unstubGlobals: true,
    coverage: {
      include: ["src/**/*.{ts,svelte}"],
      exclude: ["src/**/*.test.ts", "src/lib/wire.ts"],
      reportsDirectory: "../build/coverage", // Python would take front/coverage for the module of that name
    },
  },
}));
