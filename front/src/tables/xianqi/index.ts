// Xianqi's table, as the shell loads it.

import type { TableModule } from "../contract";
import Preview from "./Preview.svelte";
import Table from "./Table.svelte";
import { KEYS, PITCH, messages } from "./words";

const xianqi: TableModule = { Table, Preview, messages, pitch: PITCH, keys: KEYS };
export default xianqi;
