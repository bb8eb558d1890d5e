// Wuhan mahjong at the table in the browser.

import type { TableModule } from "../contract";
import Preview from "./Preview.svelte";
import Table from "./Table.svelte";
import { everywhere, messages } from "./words";

const keys = [
  { key: "← →", does: everywhere("key.arrows") },
  { key: "Enter", does: everywhere("key.enter") },
  { key: "1 – 9", does: everywhere("key.digits") },
  { key: "C P G H", does: everywhere("key.letters") },
  { key: "X", does: everywhere("key.x") },
  { key: "W", does: everywhere("key.w") },
  { key: "R", does: everywhere("key.r") },
];

export default { Table, Preview, messages, pitch: everywhere("pitch"), keys } satisfies TableModule;
