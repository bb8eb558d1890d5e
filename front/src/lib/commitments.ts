// The commitment of a hand as this browser first heard it: a server that tells another one later is found out.

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

/** The commitment first told for the hand; `told` when this is the first time. */
export function firstCommitment(table: string, hand: number, told: string): string {
  const name = `${table}/${hand}`;
  const first = heard.get(name);
  if (first !== undefined) return first;
  heard.set(name, told);
  while (heard.size > MOST) heard.delete(heard.keys().next().value!);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(heard)));
  } catch {
    // it is remembered until the page is left
  }
  return told;
}
