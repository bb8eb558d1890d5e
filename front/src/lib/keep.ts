// Small values in localStorage; if the browser refuses, they are forgotten and nothing breaks.

const PREFIX = "qipai.";

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // private windows may refuse: the choice lasts until the page is closed
  }
}
