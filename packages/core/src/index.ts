export * from "./UseCases.ts";
