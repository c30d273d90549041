export { layer, type FilesOptions } from "./send/UploadContents.ts";
