// The games' own drawings, loaded when first needed; a game without one is described in words.
import type { TableModule } from "../tables/contract";

const modules = import.meta.glob<{ default: TableModule }>("../tables/*/index.ts");

export async function tableOf(game: string): Promise<TableModule | null> {
  const load = modules[`../tables/${game}/index.ts`];
  return load ? (await load()).default : null;
}
