import type { ChildProcess } from "node:child_process";

/** A child that is gone when this process is, whatever way that ends short of SIGKILL; `after` runs behind it. */
export const endsWithUs = <Child extends ChildProcess>(child: Child, after: () => void = () => {}): Child => {
  const end = () => {
    child.kill("SIGKILL");
    after();
  };
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  return child;
};
