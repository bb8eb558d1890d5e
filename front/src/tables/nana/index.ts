// NANA's table, as the shell loads it.

import type { TableModule } from "../contract";
import Preview from "./Preview.svelte";
import "./inks.css";
import Table from "./Table.svelte";
import { KEYS, messages, PITCH } from "./words";

const nana: TableModule = { Table, Preview, messages, pitch: PITCH, keys: KEYS, memory: true };
export default nana;
