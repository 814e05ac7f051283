// Serves this folder for trying it out: node serve.js [PORT]. Any server will do that sends these
// headers, without which browsers share no memory between threads.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize, sep } from "node:path";
import { pipeline } from "node:stream";
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
  pipeline(createReadStream(file), response, (error) => {
    // Browsers go away before the end whenever they like.
    if (error && error.code !== "ERR_STREAM_PREMATURE_CLOSE") console.error(`${file}: ${error.message}`);
  });
});

/** Whether this file is the program, also by a symbolic link or without the end of its name. */
function isProgram() {
  try {
    return createRequire(import.meta.url).resolve(process.argv[1]) === fileURLToPath(import.meta.url);
  } catch {
    return false;
  }
}

if (isProgram()) {
  const port = process.argv[2] ?? "8000";
  const fail = (reason) => {
    console.error(`serve.js: ${reason}`);
    process.exitCode = 1;
  };
  if (/^\d{1,5}$/.test(port) && Number(port) < 65536) {
    server.on("error", (error) => fail(`port ${port}: ${error.message}; another one can be given, as in node serve.js 8001`));
    server.listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
  } else {
    fail(`a port from 0 to 65535 expected, found '${port}'`);
  }
}
