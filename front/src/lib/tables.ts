// The tables that games provide, loaded on first use; a game without one is described in words.
import type { GuideModule, TableModule } from "../tables/contract";

const modules = import.meta.glob<{ default: TableModule }>("../tables/*/index.ts");

export async function tableOf(game: string): Promise<TableModule | null> {
  const load = modules[`../tables/${game}/index.ts`];
  return load ? (await load()).default : null;
}

const guides = import.meta.glob<{ default: GuideModule }>("../tables/*/guide.ts");

/** The rules of a game for players, with examples; null if it has none. */
export async function guideOf(game: string): Promise<GuideModule | null> {
  const load = guides[`../tables/${game}/guide.ts`];
  return load ? (await load()).default : null;
}
