import { Context } from "effect";
import type { ApplicationData } from "./ApplicationData.ts";

/** The application data of every domain, for the deletion of keys and applications. */
export class AllApplicationData extends Context.Service<AllApplicationData, ReadonlyArray<ApplicationData>>()(
  "@postern/core/auth/AllApplicationData",
) {}
