import { expect, it } from "vitest";
import { pseudonym } from "./pseudonym";

it("is what the server computes", () => {
  expect(pseudonym("abcdefghjk", "0123456789abcdef")).toBe("ac679fff21ae");
});
