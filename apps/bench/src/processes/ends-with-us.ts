import type { ChildProcess } from "node:child_process";

/** Ends a child when this process ends, except by SIGKILL; then runs `after`. */
export const endsWithUs = <Child extends ChildProcess>(child: Child, after: () => void = () => {}): Child => {
  const end = () => {
    child.kill("SIGKILL");
    after();
  };
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  return child;
};
