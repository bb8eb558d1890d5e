// How the server tells the writers of a table apart, without saying who they are elsewhere.
import { sha256 } from "./sha256";
import { toHex } from "./verify";

export const pseudonym = (table: string, guest: string): string =>
  toHex(sha256(new TextEncoder().encode(`qipai/who/${table}/${guest}`))).slice(0, 12);
