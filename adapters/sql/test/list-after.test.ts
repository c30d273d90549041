import { it } from "@effect/vitest";
import { Effect, Option } from "effect";
import { expect } from "vitest";
import { listAfter } from "../src/database/list-after.ts";

const ROWS = Array.from({ length: 9 }, (_, n) => ({ id: `r${n}`, created_at: 100 - n }));

it.effect("skips unreadable rows and continues the list", () =>
  Effect.gen(function* () {
    const select = (place: { readonly at: number } | undefined, limit: number) =>
      Effect.succeed(ROWS.filter(({ created_at }) => created_at < (place?.at ?? Infinity)).slice(0, limit));
    const unreadable = ["r1", "r2", "r3", "r8"];
    const read = ({ id }: { readonly id: string }) =>
      Effect.succeed(unreadable.includes(id) ? Option.none() : Option.some(id));
    expect(yield* listAfter(undefined, 3, select, read)).toEqual(["r0", "r4", "r5"]);
    expect(yield* listAfter({ at: 95, id: "r5" }, 3, select, read)).toEqual(["r6", "r7"]);
  }),
);
