import { describe, expect, it, vi } from "vitest";
import { go, listen, parse, replayPath, rewrite, type Route } from "./router";

const at = (path: string): Route => parse(new URL(path, "http://table.example"));

describe("parse", () => {
  it.each([
    ["/", { page: "lobby" }],
    ["/history", { page: "history" }],
    ["/play/nana", { page: "play", game: "nana" }],
    ["/rules/xianqi", { page: "rules", game: "xianqi" }],
    ["/learn/xianqi/", { page: "learn", game: "xianqi" }],
    ["/table/abc", { page: "table", id: "abc", ply: null }],
    ["/table/abc#12", { page: "table", id: "abc", ply: 12 }],
    ["/replay/abc", { page: "replay", id: "abc", hand: null, ply: null }],
    ["/replay/abc?hand=3#7", { page: "replay", id: "abc", hand: 3, ply: 7 }],
  ])("reads %s", (path, route) => {
    expect(at(path)).toEqual(route);
  });

  it.each(["/table", "/history/x", "/table/a/b", "/nothing/a", "/play"])("knows no page at %s", (path) => {
    expect(at(path)).toEqual({ page: "missing" });
  });

  it("ignores a hand or a ply that is not a number", () => {
    expect(at("/replay/abc?hand=-1#x7")).toEqual({ page: "replay", id: "abc", hand: null, ply: null });
  });

  it("reads back the address of a replay", () => {
    expect(at(replayPath("abc", 2, 5))).toEqual({ page: "replay", id: "abc", hand: 2, ply: 5 });
    expect(at(replayPath("abc", 2))).toEqual({ page: "replay", id: "abc", hand: 2, ply: null });
  });
});

/** A window with an address and a history, and links that can be clicked. */
function browser(path: string) {
  const here = { url: new URL(path, "http://table.example") };
  const target = new EventTarget();
  const document = new EventTarget();
  const history = {
    pushState: vi.fn((_state: unknown, _title: string, to: string) => (here.url = new URL(to, here.url))),
    replaceState: vi.fn((_state: unknown, _title: string, to: string) => (here.url = new URL(to, here.url))),
  };
  const location = new Proxy({}, { get: (_, key) => here.url[key as keyof URL] });
  vi.stubGlobal("location", location);
  vi.stubGlobal("history", history);
  vi.stubGlobal("document", document);
  vi.stubGlobal("scrollTo", vi.fn());
  vi.stubGlobal("addEventListener", target.addEventListener.bind(target));
  vi.stubGlobal("dispatchEvent", target.dispatchEvent.bind(target));
  const click = (href: string, more: Record<string, unknown> = {}, link: Record<string, unknown> = {}): Event => {
    const url = new URL(href, here.url);
    const { origin, pathname, search, hash } = url;
    const a = { origin, pathname, search, hash, target: "", hasAttribute: () => false, ...link };
    const event = new Event("click", { cancelable: true });
    Object.assign(event, { button: 0, ...more });
    Object.defineProperty(event, "target", { value: { closest: () => a } });
    document.dispatchEvent(event);
    return event;
  };
  return { click, history, popstate: () => target.dispatchEvent(new Event("popstate")) };
}

describe("listen", () => {
  it("tells the present route, and every later one", () => {
    const page = browser("/play/nana");
    const seen = vi.fn();
    listen(seen);
    expect(seen).toHaveBeenLastCalledWith({ page: "play", game: "nana" });
    go("/history");
    expect(seen).toHaveBeenLastCalledWith({ page: "history" });
    page.popstate();
    expect(seen).toHaveBeenCalledTimes(3);
  });

  it("follows a plain link of its own without loading the page", () => {
    const page = browser("/");
    const seen = vi.fn();
    listen(seen);
    expect(page.click("/table/abc#4").defaultPrevented).toBe(true);
    expect(seen).toHaveBeenLastCalledWith({ page: "table", id: "abc", ply: 4 });
  });

  it.each([
    ["another button", "/history", { button: 1 }, {}],
    ["the control key", "/history", { ctrlKey: true }, {}],
    ["the shift key", "/history", { shiftKey: true }, {}],
    ["another host", "http://elsewhere.example/history", {}, {}],
    ["the interface", "/api/history", {}, {}],
    ["another window", "/history", {}, { target: "_blank" }],
    ["a download", "/history", {}, { hasAttribute: (name: string) => name === "download" }],
  ])("leaves a click with or to %s to the browser", (_, href, event, link) => {
    const page = browser("/");
    const seen = vi.fn();
    listen(seen);
    expect(page.click(href, event, link).defaultPrevented).toBe(false);
    expect(seen).toHaveBeenCalledTimes(1);
  });
});

describe("go and rewrite", () => {
  it("adds no entry to the history for the present address", () => {
    const { history } = browser("/history");
    go("/history");
    expect(history.pushState).not.toHaveBeenCalled();
    go("/");
    expect(history.pushState).toHaveBeenCalledTimes(1);
  });

  it("changes the address in place", () => {
    const { history } = browser("/replay/abc?hand=0");
    rewrite(replayPath("abc", 0, 3));
    expect(history.replaceState).toHaveBeenCalledWith(null, "", "/replay/abc?hand=0#3");
    expect(history.pushState).not.toHaveBeenCalled();
  });
});
