"""The web page and its files, from the front end's build in `site/`."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, PlainTextResponse, Response

from ..refusals import NotFound

SITE = Path(__file__).parents[1] / "site"
ROUTES = (
    "/",
    "/play/{game}",
    "/table/{table}",
    "/replay/{table}",
    "/replay/{table}/{hand}",
    "/rules/{game}",
    "/history",
    "/learn/{game}",
)
MISSING = (
    "The page has not been built. In the folder front/ run: npm ci && npm run build\n"
    "(or `make play` in the project's folder, which does it).\n"
)
FOREVER = "public, max-age=31536000, immutable"


def add_pages(app: FastAPI, site: Path = SITE) -> None:
    """Serve the page at each of its addresses, and its files at all others."""

    async def index() -> Response:
        page = site / "index.html"
        if not page.is_file():
            return PlainTextResponse(MISSING, 503)
        return FileResponse(page, headers={"cache-control": "no-cache"})

    for route in ROUTES:
        app.add_api_route(route, index, methods=["GET"], include_in_schema=False)

    @app.get("/assets/{path:path}", include_in_schema=False)
    async def asset(path: str) -> Response:
        return _file(site / "assets", path, FOREVER)

    @app.get("/{name}", include_in_schema=False)
    async def file(name: str) -> Response:
        return _file(site, name, "no-cache")


def _file(folder: Path, path: str, cache: str) -> Response:
    root = folder.resolve()
    try:
        found = (root / path).resolve()
        there = found.is_relative_to(root) and found.is_file()
    except (OSError, ValueError):  # a name that no file can have
        there = False
    if not there:
        raise NotFound("there is no such page")
    return FileResponse(found, headers={"cache-control": cache})
