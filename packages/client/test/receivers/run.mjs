// Runs the example beside it over the cases on stdin and says of each whether it was believed.
import { readFileSync } from "node:fs";

const { verify } = await import(`file://${process.argv[2]}`);
const told = [];
for (const { headers, body, secret } of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    told.push(
      (await verify(process.argv[3] === "fetch" ? new Headers(headers) : headers, Buffer.from(body, "base64"), secret))
        .id,
    );
  } catch {
    told.push(null);
  }
}
console.log(JSON.stringify(told));
