// Which addresses the page's policy lets it ask: in words before a browser says it in its own, and for the
// engine, which no policy of a page is about.

/** Those that may be asked without encryption: this machine. */
export const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1"];

/** The address, if it may be asked; throws an error whose message says what is wrong with it. */
export function allowedAddress(text: string): URL {
  if (!URL.canParse(text)) {
    throw new Error(`${text} is no address. One begins with https://, as in https://example.com.`);
  }
  const address = new URL(text);
  const { protocol, hostname, username, password, host } = address;
  if (username !== "" || password !== "") {
    throw new Error(
      `The address of ${host} has a name or a password in it, which would be seen. Leave it out.`,
    );
  }
  const isLoopback = protocol === "http:" && LOOPBACK.includes(hostname);
  if (protocol !== "https:" && !isLoopback) {
    throw new Error(
      `${protocol}//${host} is not encrypted, and this page asks only this machine that way. Give an address with https, or run the server on localhost.`,
    );
  }
  return address;
}
