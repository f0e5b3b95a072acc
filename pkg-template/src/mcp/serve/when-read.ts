/** When an answer is over, and how much of it waits. */

/** Pieces of a stream of notices that wait at most for one who does not read them. */
const MOST_UNREAD = 32;

/**
 * The same stream of notices, and `onEnd` once it is over: when either side ends it, or when too much of it
 * waits. A client that connects again asks for what is new anyway.
 */
export async function whileRead(answer: Promise<Response>, onEnd: () => void): Promise<Response> {
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
  const reader = body.getReader();
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
  const notices = new ReadableStream<Uint8Array>(
    {
      start: (controller) => void pass(controller).catch(() => {}),
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: MOST_UNREAD },
  );
  return new Response(notices, { status, statusText, headers });
}

/** The same answer, and `onEnd` once all of it was read, or nobody reads it any more. */
export async function whenRead(answer: Promise<Response>, onEnd: () => void): Promise<Response> {
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
  const reader = body.getReader();
  const watched = new ReadableStream<Uint8Array>({
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
  return new Response(watched, { status, statusText, headers });
}
