// Where a host that is bundled finds the worker that parses messages, as the entry of a second bundle.
import "@postern/mime/worker";
