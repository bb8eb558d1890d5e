// Unit tests of the page's TypeScript, in Node; its components are tested in a browser (tests/front).
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  test: {
    include: ["src/**/*.test.ts"],
    restoreMocks: true,
    unstubGlobals: true,
    coverage: { include: ["src/**/*.{ts,svelte}"], exclude: ["src/**/*.test.ts", "src/lib/wire.ts"] },
  },
});
