// The commitment of a hand as this browser first received it, to detect a server that changes it later.

const MOST = 40; // hands remembered
const KEY = "qipai.commitments";

function read(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}

const heard = new Map<string, string>(Object.entries(read()));

/** Returns the commitment first received for the hand, or `told` if this is the first time. */
export function firstCommitment(table: string, hand: number, told: string): string {
  const name = `${table}/${hand}`;
  const first = heard.get(name);
  if (first !== undefined) return first;
  heard.set(name, told);
  while (heard.size > MOST) heard.delete(heard.keys().next().value!);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(heard)));
  } catch {
    // remembered until the page is closed
  }
  return told;
}
