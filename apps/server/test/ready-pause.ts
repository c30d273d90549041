/** Between two questions whether a process is ready, in milliseconds: each takes time from the process. */
export const READY_PAUSE = 25;
