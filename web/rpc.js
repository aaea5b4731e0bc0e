// Calls of the service with JSON, as any page can make them: https://connectrpc.com/docs/protocol

const HEADER_BYTES = 5; // of a message in a stream: flags, and its length as 32 bits
const LAST = 2; // flag of the message that ends a stream

/** A refused call. */
export class Refusal extends Error {
  /** @param {{code?: string, message?: string}} answer */
  constructor(answer) {
    super(answer.message || answer.code || "the server does not answer");
    this.code = answer.code ?? "unavailable";
  }
}

/**
 * Makes a call with one answer.
 * @param {string} method such as "GameService/ListGames"
 * @param {object} fields of the request
 * @param {AbortSignal} [signal] cancels it
 * @returns {Promise<any>}
 */
export async function call(method, fields, signal) {
  const response = await post(method, "application/json", JSON.stringify(fields), signal);
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(answer);
  return answer;
}

/**
 * Makes a call with a stream of answers.
 * @param {string} method such as "AnalysisService/Analyze"
 * @param {object} fields of the request
 * @param {AbortSignal} [signal] cancels it, and the search with it
 * @returns {AsyncGenerator<any>}
 */
export async function* stream(method, fields, signal) {
  const response = await post(method, "application/connect+json", envelope(fields), signal);
  if (!response.ok || !response.body) throw new Refusal(await response.json().catch(() => ({})));
  const reader = response.body.getReader();
  let rest = new Uint8Array();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Refusal({ message: "the connection was lost" });
    rest = joined(rest, value);
    while (rest.length >= HEADER_BYTES) {
      const size = new DataView(rest.buffer, rest.byteOffset).getUint32(1);
      if (rest.length < HEADER_BYTES + size) break;
      const body = new TextDecoder().decode(rest.subarray(HEADER_BYTES, HEADER_BYTES + size));
      const isLast = rest[0] & LAST;
      rest = rest.slice(HEADER_BYTES + size);
      if (!isLast) yield JSON.parse(body);
      else if (JSON.parse(body).error) throw new Refusal(JSON.parse(body).error);
      else return;
    }
  }
}

/**
 * @param {string} method
 * @param {string} type
 * @param {BodyInit} body
 * @param {AbortSignal} [signal]
 */
async function post(method, type, body, signal) {
  const headers = { "content-type": type };
  const options = { method: "POST", headers, body, signal };
  try {
    return await fetch(`/kingmaker.v1.${method}`, options);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal({ message: "the server can't be reached" });
  }
}

/** @param {object} fields */
function envelope(fields) {
  const body = new TextEncoder().encode(JSON.stringify(fields));
  const bytes = new Uint8Array(HEADER_BYTES + body.length);
  new DataView(bytes.buffer).setUint32(1, body.length);
  bytes.set(body, HEADER_BYTES);
  return bytes;
}

/**
 * @param {Uint8Array} first
 * @param {Uint8Array} second
 */
function joined(first, second) {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
