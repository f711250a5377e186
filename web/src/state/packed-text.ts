/** Text in an address: deflated and written with letters that addresses may hold. */

/** Longer links are cut off by chats and mail programs. */
export const MOST_CHARACTERS = 4000;
/** A packed text that grows beyond this is neither a program nor a configuration. */
const MOST_BYTES = 1 << 22;

async function through(bytes: BlobPart, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MOST_BYTES) throw new Error("too much text");
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Null where it would be too long for a link. */
export async function pack(text: string): Promise<string | null> {
  const bytes = await through(text, new CompressionStream("deflate-raw"));
  const packed = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  return packed.length > MOST_CHARACTERS ? null : packed;
}

/** Null for what is cut off or no packed text at all. */
export async function unpack(packed: string): Promise<string | null> {
  try {
    const raw = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(raw, (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(
      await through(bytes, new DecompressionStream("deflate-raw")),
    );
  } catch {
    return null;
  }
}
