// Addresses to pages and back, with the history API.

export type Route =
  | { page: "lobby" }
  | { page: "play"; game: string }
  | { page: "table"; id: string; ply: number | null }
  | { page: "replay"; id: string; hand: number | null; ply: number | null }
  | { page: "rules"; game: string }
  | { page: "spec"; game: string }
  | { page: "learn"; game: string }
  | { page: "history" }
  | { page: "missing" };

const NAMED = ["play", "rules", "spec", "learn"] as const;

export function parse(address: { pathname: string; search: string; hash: string }): Route {
  const parts = address.pathname.split("/").filter((part) => part !== "");
  const ply = /^#\d+$/.test(address.hash) ? Number(address.hash.slice(1)) : null;
  const [page, name] = parts;
  if (page === undefined) return { page: "lobby" };
  if (page === "history" && parts.length === 1) return { page: "history" };
  if (name === undefined || parts.length !== 2) return { page: "missing" };
  const named = NAMED.find((one) => one === page);
  if (named !== undefined) return { page: named, game: name };
  if (page === "table") return { page: "table", id: name, ply };
  if (page === "replay") {
    const hand = new URLSearchParams(address.search).get("hand");
    return { page: "replay", id: name, hand: hand !== null && /^\d+$/.test(hand) ? Number(hand) : null, ply };
  }
  return { page: "missing" };
}

/** The address of a replay, as links and the slider write it. */
export function replayPath(id: string, hand: number, ply?: number): string {
  return `/replay/${id}?hand=${hand}${ply === undefined ? "" : `#${ply}`}`;
}

/** Calls `seen` with the current route, now and whenever it changes; plain links are followed without a reload. */
export function listen(seen: (route: Route) => void): void {
  const look = () => seen(parse(location));
  addEventListener("popstate", look);
  addEventListener("hashchange", look);
  addEventListener("qipai:moved", look);
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a");
    if (
      !link ||
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    if (
      link.target ||
      link.hasAttribute("download") ||
      link.origin !== location.origin ||
      link.pathname.startsWith("/api")
    )
      return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
  look();
}

export function go(path: string): void {
  if (path !== location.pathname + location.search + location.hash) history.pushState(null, "", path);
  scrollTo(0, 0);
  dispatchEvent(new Event("qipai:moved"));
}

/** Change the address without a new entry in the history (the slider of a replay). */
export function rewrite(path: string): void {
  history.replaceState(null, "", path);
}
