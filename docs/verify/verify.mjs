// Verify what Maya sends to your endpoint, and send Maya your signed callbacks.
//
// Copy this file: it needs Node's own modules alone. `secrets` are the live secrets of
// your agent; during a rotation there are two. Bodies are Buffers, as they came.
//
//   AGENT_SECRET=… node verify.mjs request TIMESTAMP SIGNATURE < body
//   AGENT_SECRET=… node verify.mjs callback https://MAYA RUN_ID < answer.json

import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE = 300; // seconds, in either direction

const sign = (secret, prefix, rawBody) =>
  "v1=" + createHmac("sha256", secret).update(prefix).update(rawBody).digest("hex");

function same(expected, given) {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Tell whether a request is from Maya and fresh. */
export function isGenuine(secrets, timestamp, signature, rawBody, now = Date.now() / 1000) {
  if (!/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now - Number(timestamp)) > TOLERANCE) return false;
  const prefix = `maf-webhook-v1:${timestamp}.`;
  return secrets.some((secret) => same(sign(secret, prefix, rawBody), signature));
}

/**
 * Return the change of a genuine request; an Error means: answer 4xx, do nothing.
 *
 * Then check that the record belongs to `change.customer`, and write the change and
 * `change.runId` in one transaction: a key that you have seen gets its old answer.
 * `headers` are Node's (lower-case names).
 */
export function readChange(headers, rawBody, secrets, { siteId, action }) {
  const timestamp = headers["x-maf-timestamp"] ?? "";
  const signature = headers["x-maf-signature"] ?? "";
  if (!isGenuine(secrets, timestamp, signature, rawBody)) throw new Error("signature");
  const change = JSON.parse(rawBody.toString("utf8"));
  if (change.siteId !== siteId || change.action !== action) {
    throw new Error("site or action");
  }
  // The header is not signed; the ids in the body are.
  const key = headers["x-maf-idempotency-key"];
  if (!key || change.runId !== key || change.requestId !== key) throw new Error("key");
  return change;
}

/** Return the signature of one run's final answer. */
export function signCallback(secret, runId, timestamp, rawBody) {
  return sign(secret, `maf-callback-v1:${runId}:${timestamp}.`, rawBody);
}

/** Post the final answer ({"status": "done" | "failed", …}); return the status code. */
export async function sendCallback(maya, runId, secret, rawBody) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const response = await fetch(
    `${maya.replace(/\/$/, "")}/api/agent/actions/${encodeURIComponent(runId)}/callback`,
    {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-maf-timestamp": timestamp,
        "x-maf-signature": signCallback(secret, runId, timestamp, rawBody),
      },
      body: rawBody,
    },
  );
  return response.status;
}

async function readAll(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function main([command, ...rest]) {
  const secret = process.env.AGENT_SECRET;
  if (secret && command === "request" && rest.length === 2) {
    const good = isGenuine([secret], ...rest, await readAll(process.stdin));
    console.log(good ? "genuine" : "refused");
    return good ? 0 : 1;
  }
  if (secret && command === "callback" && rest.length === 2) {
    const status = await sendCallback(...rest, secret, await readAll(process.stdin));
    console.log(status);
    return status === 200 ? 0 : 1;
  }
  console.error("usage: request TIMESTAMP SIGNATURE | callback MAYA RUN_ID");
  return 2;
}

// Run as a program, not imported as a module.
if (/[\\/]verify\.mjs$/.test(process.argv[1] ?? "")) {
  process.exitCode = await main(process.argv.slice(2));
}
