import { expect, it } from "vitest";
import { nextTurn } from "../src/wire/turns.ts";

it("gives each turn of the event loop to one connection, first come first served [S10.4-8]", async () => {
  const order: Array<string> = [];
  let turn = 0;
  const count = () => {
    turn++;
    if (order.length < 6) setImmediate(count);
  };
  const read = async (name: string, slices: number) => {
    for (let slice = 0; slice < slices; slice++) {
      await nextTurn();
      order.push(`${name} in ${turn}`);
    }
  };
  setImmediate(count);
  await Promise.all([read("a", 3), read("b", 2), read("c", 1)]);
  expect(order).toEqual(["a in 1", "b in 2", "c in 3", "a in 4", "b in 5", "a in 6"]);
});
