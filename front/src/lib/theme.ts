// Light, dark, or the system's setting; the choice is a data attribute that theme.css uses.
import { keep, kept } from "./keep";

export type Theme = "system" | "light" | "dark";
export const THEMES: Theme[] = ["system", "light", "dark"];

const dark = matchMedia("(prefers-color-scheme: dark)");
let chosen: Theme = "system";

export function firstTheme(): Theme {
  const found = kept("theme") as Theme | null;
  return found !== null && THEMES.includes(found) ? found : "system";
}

export function applyTheme(theme: Theme): void {
  chosen = theme;
  keep("theme", theme);
  const seen = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
  document.documentElement.dataset.theme = seen;
}

dark.addEventListener("change", () => applyTheme(chosen));
