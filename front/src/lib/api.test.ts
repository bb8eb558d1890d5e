import { describe, expect, it, vi } from "vitest";
import * as api from "./api";

const answer = (status: number, body: string, statusText = "") => {
  const fetch = vi.fn(async () => new Response(body, { status, statusText }));
  vi.stubGlobal("fetch", fetch);
  return fetch;
};

describe("requests", () => {
  it("read with GET and the page's own cookies", async () => {
    const fetch = answer(200, '{"name":"Ann"}');
    expect(await api.me()).toEqual({ name: "Ann" });
    expect(fetch).toHaveBeenCalledWith("/api/me", { credentials: "same-origin" });
  });

  it("write with POST and JSON", async () => {
    const fetch = answer(200, "{}");
    await api.rename("Bo");
    expect(fetch).toHaveBeenCalledWith("/api/me", expect.objectContaining({ method: "POST", body: '{"name":"Bo"}' }));
  });

  it("escape names that go into an address", async () => {
    const fetch = answer(200, "rules");
    expect(await api.rules("a/b", "zh")).toBe("rules");
    expect(fetch).toHaveBeenCalledWith("/api/rules/a%2Fb?lang=zh", expect.anything());
    expect(api.recordPath("x y", 2)).toBe("/api/tables/x%20y/record/2");
  });
});

describe("the history", () => {
  it("is read page by page", async () => {
    const fetch = answer(200, "{}");
    await api.history();
    await api.history("1.5.abc.0.1");
    expect(fetch.mock.calls.map(([path]: unknown[]) => path)).toEqual([
      "/api/history",
      "/api/history?before=1.5.abc.0.1",
    ]);
  });
});

describe("a refusal", () => {
  it("carries the server's code and message", async () => {
    answer(409, '{"code":"table/full","message":"no seat is free"}');
    await expect(api.history()).rejects.toMatchObject({ code: "table/full", message: "no seat is free" });
    await expect(api.history()).rejects.toBeInstanceOf(api.Refusal);
  });

  it("falls back to the status where the answer is not JSON", async () => {
    answer(502, "<html>", "Bad Gateway");
    await expect(api.history()).rejects.toMatchObject({ code: "http/502", message: "Bad Gateway" });
  });

  it("says that the server does not answer", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("network")));
    await expect(api.me()).rejects.toMatchObject({ code: "offline" });
  });
});
