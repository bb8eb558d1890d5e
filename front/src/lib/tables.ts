// The tables that games provide, loaded on first use; a game without one is described in words.
import type { TableModule } from "../tables/contract";

const modules = import.meta.glob<{ default: TableModule }>("../tables/*/index.ts");

export async function tableOf(game: string): Promise<TableModule | null> {
  const load = modules[`../tables/${game}/index.ts`];
  return load ? (await load()).default : null;
}
