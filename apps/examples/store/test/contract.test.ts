import { storeContracts } from "@postern/testkit";
import { uploadsInSqlite } from "../UploadsInSqlite.ts";

storeContracts.send.UploadContents("uploads in SQLite", uploadsInSqlite(":memory:"));
