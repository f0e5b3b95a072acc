/** When an answer is over, and how much of it waits. */

/** Pieces of a stream of notices that wait at most for one who does not read them. */
const MOST_UNREAD = 32;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * The same stream of notices, and `onEnd` once it is over: when either side ends it, or when too much of it
 * waits. A client that connects again asks for what is new anyway.
 */
export function whileRead(answer: Promise<Response>, onEnd: () => void): Promise<Response> {
  return withBody(answer, onEnd, notices);
}

/** The same answer, and `onEnd` once all of it was read, or nobody reads it any more. */
export function whenRead(answer: Promise<Response>, onEnd: () => void): Promise<Response> {
  return withBody(answer, onEnd, readToItsEnd);
}

/** An answer with another body, made of its own; without one it is over at once. */
async function withBody(
  answer: Promise<Response>,
  onEnd: () => void,
  bodyOf: (reader: Reader, onEnd: () => void) => ReadableStream<Uint8Array>,
): Promise<Response> {
  let response: Response;
  try {
    response = await answer;
  } catch (error) {
    onEnd();
    throw error;
  }
  const { body, status, statusText, headers } = response;
  if (body === null) {
    onEnd();
    return response;
  }
  return new Response(bodyOf(body.getReader(), onEnd), { status, statusText, headers });
}

function notices(reader: Reader, onEnd: () => void): ReadableStream<Uint8Array> {
  const pass = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      for (;;) {
        const { done, value } = await reader.read();
        const isFull = (controller.desiredSize ?? 0) <= 0;
        if (done || isFull) break;
        controller.enqueue(value);
      }
      controller.close();
    } catch (error) {
      controller.error(error);
    } finally {
      onEnd();
      await reader.cancel().catch(() => {});
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => void pass(controller).catch(() => {}),
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: MOST_UNREAD },
  );
}

function readToItsEnd(reader: Reader, onEnd: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      onEnd();
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  });
}
