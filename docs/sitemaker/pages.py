"""The navigation of the site in each language, and where each page of the repository goes."""

from __future__ import annotations

from typing import Any

from qipai.core import get
from qipai.core.registry import OURS

GAMES = tuple(OURS)
LANGUAGES = {"en": "English", "zh": "中文", "ja": "日本語"}

# Pages of the repository outside `docs/`, and what they are called on the English site.
ELSEWHERE = {
    "benchmarks/README.md": "background/benchmarks.md",
    "benchmarks/diary.md": "background/diary.md",
    "CONTRIBUTING.md": "design/contributing.md",
    "CHANGELOG.md": "background/changes.md",
    "SECURITY.md": "operate/security.md",
    **{f"src/qipai/games/{name}/README.md": f"rules/{name}.md" for name in GAMES},
}

TITLES = {
    "en": {"home": "Home", "play": "Play", "rules": "Rules"},
    "zh": {"home": "首页", "play": "怎么玩", "rules": "规则"},
    "ja": {"home": "ホーム", "play": "遊び方", "rules": "ルール"},
}

TOOLS = {  # the pages of other libraries
    "pettingzoo": "PettingZoo",
    "gymnasium": "Gymnasium",
    "sb3": "Stable-Baselines3",
    "rllib": "RLlib",
    "torchrl": "TorchRL",
    "tianshou": "Tianshou",
    "jax": "JAX",
    "openspiel": "OpenSpiel",
    "datasets": "Datasets",
}


def places(lang: str) -> dict[str, str]:
    """Return the pages of one language: path in the repository -> path in the site's sources."""
    found: dict[str, str] = {}
    for path in _listed(navigation(lang)):
        found[_source(path, lang)] = path
    return found


def navigation(lang: str) -> list[Any]:
    """Return the navigation of one language, by site paths."""
    words = TITLES[lang]
    title = {name: get(name).title(lang) for name in GAMES}
    play = ["play/index.md", *({title[name]: f"play/{name}.md"} for name in GAMES)]
    play.append({words["rules"]: [{title[name]: f"rules/{name}.md"} for name in GAMES]})
    top: list[Any] = [{words["home"]: "index.md"}, {words["play"]: play}]
    return top if lang != "en" else [*top, *_english(title)]


def _english(title: dict[str, str]) -> list[Any]:
    return [
        {
            "Research": [
                "research/index.md",
                {"Batches": "research/batches.md"},
                {"Worlds and playouts": "research/playouts.md"},
                {"Your own compiled loops": "research/compiled.md"},
                {"Environments": "envs.md"},
                {
                    "Other libraries": [
                        "research/toolbox.md",
                        *({title: f"research/tools/{page}.md"} for page, title in TOOLS.items()),
                    ]
                },
                {"Training": "training.md"},
                {"Settings of training": "training/settings.md"},
                {
                    "Trained nets": [
                        {"Ledger of runs": "training/ledger.md"},
                        *({title[name]: f"training/{name}.md"} for name in GAMES),
                    ]
                },
                {"Nets": "nets.md"},
                {"Evaluation": "arena.md"},
                {"Ladder": "ladder.md"},
                {"Levels": "levels.md"},
                {"Search": "search.md"},
                {"Layouts": [{title[name]: f"research/layouts/{name}.md"} for name in GAMES]},
                {"Citation": "research/citation.md"},
            ]
        },
        {
            "Design": [
                {"Your first game": "design/first-game.md"},
                {"The contract": "design/contract.md"},
                {"The page": "front.md"},
                {"Contributing": "design/contributing.md"},
            ]
        },
        {
            "Operate": [
                "operate/index.md",
                {"The server": "server.md"},
                {"Deploy": "operate/deploy.md"},
                {"Backups": "operate/backup.md"},
                {"PostgreSQL": "operate/postgresql.md"},
                {"Guests": "operate/guests.md"},
                {"Past one machine": "scale.md"},
                {"Limits": "operate/settings.md"},
                {"Metrics": "operate/metrics.md"},
                {"Security": "operate/security.md"},
                {"Attacks": "operate/attacks.md"},
            ]
        },
        {
            "Reference": [
                {
                    "Python API": [
                        {"Batch": "reference/api/batch.md"},
                        {"Match": "reference/api/match.md"},
                        {"Game": "reference/api/game.md"},
                        {"Environments": "reference/api/envs.md"},
                        {"Agents and arena": "reference/api/agents.md"},
                        {"Search": "reference/api/search.md"},
                        {"Datasets": "reference/api/data.md"},
                        {"Cluster": "reference/api/cluster.md"},
                        {"Testing": "reference/api/testing.md"},
                    ]
                },
                {"Command line": "reference/cli.md"},
                {"Errors": "errors.md"},
                {"Wire messages": "reference/wire.md"},
                {"Records": "records.md"},
                {"Games": [{title[name]: f"games/{name}.md"} for name in GAMES]},
                {"Glossary": "glossary.md"},
            ]
        },
        {
            "Background": [
                {"Architecture": "architecture.md"},
                {"Fairness": "background/fairness.md"},
                {"What is open": "background/open.md"},
                {
                    "Benchmarks": [
                        {"Results and method": "background/benchmarks.md"},
                        {"Diary of experiments": "background/diary.md"},
                        *({f"{title[name]}: cost": f"profile/{name}.md"} for name in GAMES),
                    ]
                },
                {
                    "Proofs": [
                        {"How they are made": "proof/README.md"},
                        *({title[name]: f"proof/{name}.md"} for name in GAMES),
                        {"Nets": "proof/bots_net.md"},
                        {"Training": "proof/learn.md"},
                        {"Search": "proof/search.md"},
                        {"Other libraries": "proof/ecosystem.md"},
                        {"Datasets": "proof/data.md"},
                        {"Ratings": "proof/arena.md"},
                        {"Malformed input": "proof/fuzz.md"},
                        {"Edited records": "proof/match.md"},
                        {"Server": "proof/server.md"},
                    ]
                },
                {
                    "Specifications": [
                        {"What is where": "specs/README.md"},
                        *({title[name]: f"specs/{name}.md"} for name in GAMES),
                    ]
                },
                {"Changes": "background/changes.md"},
            ]
        },
    ]


def _listed(entries: list[Any]) -> list[str]:
    """Return the pages of a navigation, in order."""
    found: list[str] = []
    for entry in entries:
        if isinstance(entry, str):
            found.append(entry)
            continue
        for value in entry.values():
            found += [value] if isinstance(value, str) else _listed(value)
    return found


def _source(path: str, lang: str) -> str:
    """Return the file of the repository that a page of the site is made from."""
    if path.startswith("rules/"):
        suffix = "" if lang == "en" else f".{lang}"
        return f"src/qipai/games/{path[6:-3]}/README{suffix}.md"
    if lang != "en":
        return f"docs/{lang}/{path}"
    outside = {place: source for source, place in ELSEWHERE.items()}
    return outside.get(path, f"docs/{path}")
