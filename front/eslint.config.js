// ESLint for the page: the recommended rules. Prettier owns the layout of the text.
import { builtinRules } from "eslint/use-at-your-own-risk";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

// The recommended core rules, as @eslint/js lists them; read from ESLint itself to save a dependency.
const core = [...builtinRules].filter(([, rule]) => rule.meta.docs.recommended).map(([name]) => [name, "error"]);

export default [
  { ignores: ["node_modules/", "coverage/", "src/lib/wire.ts"] },
  { rules: Object.fromEntries(core) },
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  ...svelte.configs.prettier,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig } },
  },
  {
    files: ["**/*.ts", "**/*.svelte"],
    rules: {
      "no-undef": "off", // TypeScript finds undefined names itself
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "svelte/no-useless-mustaches": "off", // {" "} is a space that the formatter must not move
      "svelte/prefer-svelte-reactivity": "off", // what is drawn is assigned whole; these maps and sets are working copies
      "svelte/require-each-key": "off", // without a key elements are reused by place, right for lists that do not move
    },
  },
];
