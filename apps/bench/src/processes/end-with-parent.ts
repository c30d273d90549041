import type { ChildProcess } from "node:child_process";

/** Makes a child process end when this process ends, except by SIGKILL; then runs `after`. */
export const endWithParent = <Child extends ChildProcess>(child: Child, after: () => void = () => {}): Child => {
  const end = () => {
    child.kill("SIGKILL");
    after();
  };
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  return child;
};
