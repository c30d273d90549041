import { expect, it } from "vitest";
import { PREVIEW_BYTES } from "../src/messages/choose-bodies.ts";
import { MAX_LIFETIME_SECONDS } from "../src/oauth/ports/AuthorizationServer.ts";

it("reads 2 KiB of a plain text to preview, and 32 KiB of HTML", () => {
  expect(PREVIEW_BYTES).toEqual({ plain: 2 * 1024, html: 32 * 1024 });
});

it("counts an access token for 30 days at most", () => {
  expect(MAX_LIFETIME_SECONDS).toBe(30 * 24 * 60 * 60);
});
