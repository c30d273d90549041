// Runs the example in this folder with the cases on stdin and prints whether it accepted each.
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
