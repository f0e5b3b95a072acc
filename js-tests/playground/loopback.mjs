// A server on this machine alone.

/** Lets a server listen; gives its port, its address, and how to end it. */
export async function listening(server) {
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address();
  const close = () =>
    new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  return { port, address: `http://127.0.0.1:${port}`, close };
}
