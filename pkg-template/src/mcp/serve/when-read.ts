/** When an answer is over. */

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
