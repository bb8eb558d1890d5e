"""The web page and its files, from the front end's build in `site/`."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse, Response

from ..refusals import NotFound
from .previews import fill, language, preview

SITE = Path(__file__).parents[1] / "site"
ROUTES = (
    "/",
    "/play/{game}",
    "/table/{table}",
    "/replay/{table}",
    "/replay/{table}/{hand}",
    "/rules/{game}",
    "/spec/{game}",
    "/history",
    "/learn/{game}",
)
MISSING = (
    "This installation has no page: it was made from sources where the page could not be built.\n"
    "Install qipai from a wheel, or run `make play` in a checkout; it needs Python only.\n"
    "(With Node and npm at hand: python front/site_build.py.)\n"
)
FOREVER = "public, max-age=31536000, immutable"


def page_is_here(site: Path = SITE) -> bool:
    """Return whether this installation contains the page."""
    return (site / "index.html").is_file()


def add_pages(app: FastAPI, site: Path = SITE) -> None:
    """Serve the page at each of its addresses, and its files at all others."""

    async def index(request: Request) -> Response:
        if not page_is_here(site):
            return PlainTextResponse(MISSING, 503)
        text = (site / "index.html").read_text("utf-8")
        lang = language(request.headers.get("accept-language", ""))
        found = await preview(request.app.state.hall, request.url.path, lang)
        text = fill(text, found, str(request.base_url), site)
        return HTMLResponse(text, headers={"cache-control": "no-cache", "vary": "accept-language"})

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
