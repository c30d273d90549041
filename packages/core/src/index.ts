export { AccountDataOfDomains, sweeps, UseCases, workers } from "./UseCases.ts";
