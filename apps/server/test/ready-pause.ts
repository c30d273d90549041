/** Milliseconds between two readiness checks of a process, because each check costs the process time. */
export const READY_PAUSE = 25;
