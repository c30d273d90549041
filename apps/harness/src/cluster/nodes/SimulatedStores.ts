import type { StoresInMemory, UploadContentsInMemory } from "@postern/memory";
import type { Layer } from "effect";

/** Every store of every domain. */
export type SimulatedStores = Layer.Success<typeof StoresInMemory> | Layer.Success<typeof UploadContentsInMemory>;
