// Serves this folder for trying it out: node serve.js [PORT]. Any server will do that sends these
// headers, without which browsers share no memory between threads.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
};

export const server = createServer(async (request, response) => {
  let file;
  try {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    file = normalize(join(folder, path.endsWith("/") ? `${path}index.html` : path));
    const inside = file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
    if (!inside || !(await stat(file)).isFile()) throw new Error("no such file");
  } catch {
    response.writeHead(404).end("not found\n");
    return;
  }
  response.writeHead(200, {
    "Content-Type": types[extname(file)] ?? "application/octet-stream",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
  });
  createReadStream(file).pipe(response);
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const port = Number(process.argv[2] ?? 8000);
  server.listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/`));
}
