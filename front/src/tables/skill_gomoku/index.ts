// Skill gomoku's table, as the shell loads it.

import type { TableModule } from "../contract";
import Preview from "./Preview.svelte";
import Table from "./Table.svelte";
import { KEYS, LOG, messages, PITCH } from "./words";

const skillGomoku: TableModule = { Table, Preview, messages, pitch: PITCH, keys: KEYS, log: LOG };
export default skillGomoku;
