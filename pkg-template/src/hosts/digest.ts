/** Two sums of 32 bits over the bytes: to tell edits apart, not to withstand an attack. */
export function digest(bytes: Uint8Array): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193);
    other = Math.imul(other + byte, 0x85ebca6b) ^ (other >>> 15);
  }
  return `${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}`;
}
