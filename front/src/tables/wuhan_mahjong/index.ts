// Wuhan mahjong at the table in the browser.

import type { TableModule } from "../contract";
import Preview from "./Preview.svelte";
import Table from "./Table.svelte";
import { tell } from "./tell";
import { KEYS, PITCH } from "./words";

export default { Table, Preview, tell, pitch: PITCH, keys: KEYS } satisfies TableModule;
