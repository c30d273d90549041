export { layer, type FilesOptions } from "./UploadContentsInFiles.ts";
