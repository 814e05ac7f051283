// Tests of the server for trying it out.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { server } from "./serve.js";

const program = fileURLToPath(new URL("serve.js", import.meta.url));

test("the server sends what browsers need to share memory, and this folder alone", async (context) => {
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${server.address().port}`;
  const page = await fetch(`${base}/`);
  assert.match(await page.text(), /<title>Kaiyo<\/title>/);
  assert.equal(page.headers.get("Cross-Origin-Opener-Policy"), "same-origin");
  assert.equal(page.headers.get("Cross-Origin-Embedder-Policy"), "require-corp");
  assert.equal((await fetch(`${base}/%2e%2e%2fCargo.toml`)).status, 404);
  assert.equal((await fetch(`${base}/%zz`)).status, 404);
});

test("it starts by its name with and without the end, and by a link", { timeout: 60_000 }, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "kaiyo-serve-"));
  context.after(() => rm(folder, { recursive: true }));
  const link = join(folder, "link.js");
  await symlink(program, link);
  for (const path of [program, program.replace(/\.js$/, ""), link]) {
    const child = spawn(process.execPath, [path, "0"], { stdio: ["ignore", "pipe", "inherit"] });
    context.after(() => child.kill());
    const [said] = await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    assert.match(`${said}`, /^http:\/\/127\.0\.0\.1:\d+\/\n$/, path);
  }
});
