// The names of bots in lists.
import { type Key, t } from "./i18n";
import type { AgentInfo } from "./wire";

const STRONGEST = 3;

export const botName = (agent: AgentInfo): string =>
  t("botOf", { level: t(`level.${Math.min(agent.level, STRONGEST)}` as Key) });
