// "Check this deal": whether the seed revealed at the end matches the commitment from before the deal.
import { sha256 } from "./sha256";

const LABEL = "qipai/1/commit";

export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})*$/i.test(text)) throw new Error("not hexadecimal");
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

export const toHex = (bytes: Uint8Array): string => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");

export const text = (words: string): Uint8Array => new TextEncoder().encode(words);

/** SHA-256 of all parts one after another, in hexadecimal. */
export async function hash(...parts: Uint8Array[]): Promise<string> {
  const whole = Uint8Array.from(parts.flatMap((part) => [...part]));
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined; // missing if the page was loaded over http
  return toHex(subtle ? new Uint8Array(await subtle.digest("SHA-256", whole)) : sha256(whole));
}

/** SHA-256 of the label and the seed's bytes, in hexadecimal. */
export const commit = (seed: string): Promise<string> => hash(text(LABEL), fromHex(seed));

export async function verify(commitment: string, seed: string): Promise<boolean> {
  return (await commit(seed)) === commitment.toLowerCase();
}
