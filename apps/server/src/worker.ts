// The worker that parses messages. A bundled host uses this module as the entry of a second bundle.
import "@postern/mime/worker";
