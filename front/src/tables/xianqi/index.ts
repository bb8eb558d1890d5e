// Xianqi's table, as the shell loads it.

import type { TableModule } from "../contract";
import Preview from "./Preview.svelte";
import Table from "./Table.svelte";
import { tellEvent } from "./tell";
import { KEYS, PITCH } from "./words";

const xianqi: TableModule = { Table, Preview, tell: tellEvent, pitch: PITCH, keys: KEYS };
export default xianqi;
