export { sweeps, UseCases, workers } from "./UseCases.ts";
