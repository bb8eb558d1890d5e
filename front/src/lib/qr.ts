// A QR code of a short text (ISO/IEC 18004): byte mode, error correction M, versions 1 to 6, the best of eight masks.

/** By version from 1: codewords in all, error correction codewords per block, blocks. */
const SIZES = [
  [26, 10, 1],
  [44, 16, 1],
  [70, 26, 1],
  [100, 18, 2],
  [134, 24, 2],
  [172, 16, 4],
] as const;
const LEVEL_M = 0;

/** The modules, row by row: true is dark. Null if the text is too long. Without `mask`, the best one is used. */
export function qr(text: string, mask: number | null = null): boolean[][] | null {
  const bytes = [...new TextEncoder().encode(text)];
  const version = SIZES.findIndex(([all, ecc, blocks]) => bytes.length <= all - ecc * blocks - 2) + 1;
  if (version === 0) return null;
  const stream = interleaved(encoded(bytes, version), version);
  if (mask !== null) return drawn(stream, version, mask);
  const masked = MASKS.map((_, n) => drawn(stream, version, n));
  return masked.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}

/** Mode, length, text and padding as codewords. */
function encoded(bytes: number[], version: number): number[] {
  const [all, ecc, blocks] = SIZES[version - 1]!;
  const room = all - ecc * blocks;
  const bits: number[] = [];
  const push = (value: number, count: number) => {
    for (let i = count - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  push(4, 4); // byte mode
  push(bytes.length, 8);
  bytes.forEach((byte) => push(byte, 8));
  push(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8 !== 0) bits.push(0);
  const words = Array.from({ length: bits.length / 8 }, (_, i) =>
    bits.slice(8 * i, 8 * i + 8).reduce((sum, bit) => 2 * sum + bit, 0),
  );
  while (words.length < room) words.push(words.length % 2 === (bits.length / 8) % 2 ? 0xec : 0x11);
  return words;
}

/** Product in the field of 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1. */
function times(a: number, b: number): number {
  let product = 0;
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> i) & 1) * a;
  }
  return product;
}

/** The remainder of `data` by the generator of `count` error correction codewords. */
export function correction(data: number[], count: number): number[] {
  const generator = Array<number>(count).fill(0);
  generator[count - 1] = 1;
  let root = 1;
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < count; j++) generator[j] = times(generator[j]!, root) ^ (generator[j + 1] ?? 0);
    root = times(root, 2);
  }
  let rest = Array<number>(count).fill(0);
  for (const word of data) {
    const factor = word ^ rest[0]!;
    rest = [...rest.slice(1), 0].map((value, i) => value ^ times(generator[i]!, factor));
  }
  return rest;
}

/** Blocks of data and their correction, codeword by codeword in turn. */
function interleaved(words: number[], version: number): number[] {
  const [, ecc, blocks] = SIZES[version - 1]!;
  const size = words.length / blocks; // the same for every block of these versions
  const parts = Array.from({ length: blocks }, (_, i) => words.slice(i * size, (i + 1) * size));
  const checks = parts.map((part) => correction(part, ecc));
  const turn = (lists: number[][]) => lists[0]!.flatMap((_, i) => lists.map((list) => list[i]!));
  return [...turn(parts), ...turn(checks)];
}

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function drawn(stream: number[], version: number, mask: number): boolean[][] {
  const size = 17 + 4 * version;
  const modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const fixed = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const set = (x: number, y: number, dark: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    modules[y]![x] = dark;
    fixed[y]![x] = true;
  };
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [cx, cy] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    for (let dy = -4; dy <= 4; dy++)
      for (let dx = -4; dx <= 4; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(cx + dx, cy + dy, ring !== 2 && ring !== 4);
      }
  if (version > 1) {
    const c = size - 7;
    for (let dy = -2; dy <= 2; dy++)
      for (let dx = -2; dx <= 2; dx++) set(c + dx, c + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
  }
  format(set, size, mask);
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++)
      for (let j = 0; j < 2; j++) {
        const x = right - j;
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
        if (fixed[y]![x]) continue;
        const dark = ((stream[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
        modules[y]![x] = (dark === 1) !== MASKS[mask]!(x, y);
        bit++;
      }
  }
  return modules;
}

/** Level and mask with their own correction, next to the finder patterns. */
function format(set: (x: number, y: number, dark: boolean) => void, size: number, mask: number): void {
  const data = (LEVEL_M << 3) | mask;
  let rest = data;
  for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((data << 10) | rest) ^ 0x5412;
  const dark = (i: number) => ((bits >> i) & 1) === 1;
  for (let i = 0; i <= 5; i++) set(8, i, dark(i));
  set(8, 7, dark(6));
  set(8, 8, dark(7));
  set(7, 8, dark(8));
  for (let i = 9; i < 15; i++) set(14 - i, 8, dark(i));
  for (let i = 0; i < 8; i++) set(size - 1 - i, 8, dark(i));
  for (let i = 8; i < 15; i++) set(8, size - 15 + i, dark(i));
  set(8, size - 8, true);
}

/** How hard a code is to read: runs, blocks, patterns like a finder, and too much of one colour. */
function penalty(modules: boolean[][]): number {
  const size = modules.length;
  const columns = modules.map((_, x) => modules.map((row) => row[x]!));
  let sum = 0;
  for (const line of [...modules, ...columns]) {
    const text = line.map((dark) => (dark ? "1" : "0")).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    sum += 40 * (text.match(/(?=10111010000|00001011101)/g)?.length ?? 0);
  }
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++) {
      const here = modules[y]![x];
      if (here === modules[y - 1]![x] && here === modules[y]![x - 1] && here === modules[y - 1]![x - 1]) sum += 3;
    }
  const dark = modules.flat().filter(Boolean).length;
  return sum + 10 * Math.floor(Math.abs((20 * dark) / size ** 2 - 10));
}
