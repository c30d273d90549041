import type { FuzzedReader } from "@postern/testkit";
import { Excerpt } from "../src/Excerpt.ts";
import { retryAfterOf } from "../src/retry-after.ts";

export const readers: ReadonlyArray<FuzzedReader> = [
  {
    name: "webhook-http/answer",
    corpus: ["120", "Wed, 21 Oct 2026 07:28:00 GMT", "-1", '{"ok":true}', "Gr\xc3\xbc\xc3\x9fe\0"],
    read: (input) => {
      retryAfterOf(input.toString("latin1"), 1_700_000_000_000);
      const excerpt = new Excerpt();
      const middle = input.length >> 1;
      for (const piece of [input.subarray(0, middle), input.subarray(middle)]) if (!excerpt.take(piece)) break;
      return excerpt.text;
    },
  },
];
