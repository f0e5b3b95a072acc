/** Server-sent events. */

/** No line of a stream is longer; what is has no end. */
const LONGEST_LINE = 16 * 1024 * 1024;
/** Nor are the lines of one event together. */
const LONGEST_EVENT = LONGEST_LINE;

/** Bytes after which others have their turn, an interrupt too, however fast more come. */
const TURN = 1024 * 1024;

/**
 * The bytes of a body, until the signal ends it: that which `fetch` was given may have no effect any
 * more, once garbage was collected.
 */
export async function* bytesOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const cancel = (): Promise<void> => reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel);
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
      length += value.length;
      if (length < TURN) continue;
      length = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    await cancel();
  }
}

/** The data of each event of a stream of bytes. */
export async function* dataOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  let characters = 0;
  for await (const line of linesOf(body)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      data = [];
      characters = 0;
    } else if (line.startsWith("data:")) {
      // With the name of the field: lines without data take room too.
      characters += line.length;
      if (characters > LONGEST_EVENT) throw new Error("an event has no end");
      data.push(line.slice(line[5] === " " ? 6 : 5));
    }
  }
  // Some servers leave out the last blank line.
  if (data.length > 0) yield data.join("\n");
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    // Only the new part is gone through: a line may come in many.
    const parts = decoder.decode(bytes, { stream: true }).split("\n");
    const last = parts.pop() ?? "";
    for (const part of parts) {
      yield (rest + part).replace(/\r$/, "");
      rest = "";
    }
    rest += last;
    if (rest.length > LONGEST_LINE) throw new Error("a line has no end");
  }
  rest += decoder.decode();
  if (rest !== "") yield rest.replace(/\r$/, "");
}
