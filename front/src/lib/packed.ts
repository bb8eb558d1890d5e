// Messages that the server packs once for all visitors: binary frames in the zlib format.

const MOST = 4 << 20; // characters of an unpacked message

let broken = false;

/** Whether this browser can unpack, and has not failed at it. */
export const unpacks = (): boolean => !broken && typeof DecompressionStream === "function";

/** Returns the text of a packed message; after a failure the page asks for plain messages. */
export async function unpack(data: ArrayBuffer): Promise<string> {
  try {
    const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"));
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      if (text.length > MOST) {
        void reader.cancel();
        throw new Error("the message is too large");
      }
    }
    return text;
  } catch (error) {
    broken = true;
    throw error;
  }
}
