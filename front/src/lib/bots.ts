// The names of bots in lists.
import { pick, t } from "./i18n";
import type { AgentInfo } from "./wire";

/** A level has an emoji and a name of its own; any other agent is called a bot. */
export const botName = (agent: AgentInfo): string =>
  agent.level
    ? `${agent.emoji} ${t("levelOf", { n: agent.level, name: pick(agent.title) })}`
    : t("botOf", { name: pick(agent.title) });
