/** Server-sent events. */

/** No line of a stream is longer; what is has no end. */
const LONGEST_LINE = 16 * 1024 * 1024;

/** The data of each event of a stream of bytes. */
export async function* dataOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      data = [];
    } else if (line.startsWith("data:")) {
      data.push(line.slice(line[5] === " " ? 6 : 5));
    }
  }
  // Some servers leave out the last blank line.
  if (data.length > 0) yield data.join("\n");
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
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
