"""The application: routes, cookies, one error format. Every handler parses, calls the hall and answers."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Query, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from qipai.core import QipaiError, get
from qipai.terminal.manual import rules_text, without_commands

from .. import lessons
from .. import replay as replays
from ..hall import BANNED, TABLE_ID, Hall
from ..logs import log
from ..refusals import (
    BadMessage,
    BadOrigin,
    Banned,
    HallFull,
    NotFound,
    Refusal,
    TooFast,
    TooLarge,
    UnknownTable,
)
from ..settings import Settings
from ..store import ledger
from ..store.guests import COOKIE, HOST_COOKIE, Guest
from ..wire import (
    Blocked,
    GameInfo,
    History,
    Lesson,
    MyTable,
    NewGuest,
    NewTable,
    Opened,
    Problem,
    Reach,
    Replay,
    SigningKeys,
    TableInfo,
    Unblock,
)
from ..wire import Guest as GuestInfo
from . import sockets
from .headers import SecurityHeaders, known_host, same_site
from .limits import counted
from .pages import add_pages
from .reach import addresses

YEAR = 365 * 24 * 3600
BODY = 65536  # maximum bytes of a request body
LOOPBACK = ("127.0.0.1", "::1")
UNLIMITED = "/livez"  # a refusal would cost as much as the answer, and restart the server
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")  # of a request through a proxy


def make_app(settings: Settings | None = None) -> FastAPI:
    """Return the server as an ASGI application."""
    chosen = settings or Settings()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        app.state.hall = Hall(chosen)
        await app.state.hall.start()
        try:
            yield {"gate": app.state.hall.gate}
        finally:
            await app.state.hall.stop()

    app = FastAPI(
        title="qipai",
        description="Tables of games. Live updates are on /ws/lobby and /ws/table/<id>.",
        lifespan=life,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses={"default": {"model": Problem}},
    )
    _add_errors(app)
    _add_api(app)
    _add_sockets(app)
    add_pages(app)
    app.add_middleware(SecurityHeaders)
    return app


# --- who asks ---------------------------------------------------------------------------


def hall_of(request: Request) -> Hall:
    """Return the hall of this worker."""
    found: Hall = request.app.state.hall
    return found


async def guest_of(request: Request, response: Response, hall: Annotated[Hall, Depends(hall_of)]) -> Guest:
    """Return the guest who sent the request; a newcomer gets a cookie."""
    if request.method != "GET" and not same_site(request.headers):
        raise BadOrigin("this request comes from a page of another site")
    token = _token(request)
    guest = await hall.guests.find(token)
    if guest is None:
        hall.check_newcomer(address_of(request))
        token = hall.guests.new_token()
        guest = await hall.guests.find(token)
        assert guest is not None
    if request.method != "GET":
        hall.check_ban(guest)
    name, _ = _cookie(request)
    if await hall.guests.stay(guest) or request.cookies.get(name) != token:
        _give(request, response, token)
    return guest


def _give(request: Request, response: Response, token: str | None) -> None:
    """Give the browser a token for a year, or take it away."""
    name, secure = _cookie(request)
    if token is not None:
        response.set_cookie(name, token, YEAR, path="/", secure=secure, httponly=True, samesite="lax")
        return
    for old in {name, COOKIE}:
        response.delete_cookie(old, path="/", secure=secure, httponly=True, samesite="lax")


def _cookie(asker: HTTPConnection) -> tuple[str, bool]:
    """Return the name of the cookie, and whether it is for HTTPS only."""
    secure = asker.url.scheme in ("https", "wss")
    return (HOST_COOKIE if secure else COOKIE), secure


def _token(asker: HTTPConnection) -> str | None:
    """Return the token of a request. With HTTPS only the cookie counts that no other host can set."""
    name, _ = _cookie(asker)
    return asker.cookies.get(name)


TheHall = Annotated[Hall, Depends(hall_of)]
TheGuest = Annotated[Guest, Depends(guest_of)]


# --- /api -------------------------------------------------------------------------------


def _add_api(app: FastAPI) -> None:
    @app.get("/api/games")
    async def games(hall: TheHall) -> list[GameInfo]:
        """Return the games, their options and bots, and their compilation progress."""
        return hall.catalog.infos()

    @app.get("/api/me")
    async def me(guest: TheGuest) -> GuestInfo:
        """Return who you are; a newcomer gets a cookie."""
        return GuestInfo(id=guest.id, name=guest.name)

    @app.post("/api/me")
    async def rename(wish: NewGuest, guest: TheGuest, hall: TheHall, request: Request) -> GuestInfo:
        """Change your name."""
        await hall.rename(guest, wish.name, address_of(request))
        return GuestInfo(id=guest.id, name=guest.name)

    @app.post("/api/renew")
    async def renew(guest: TheGuest, hall: TheHall, request: Request, response: Response) -> GuestInfo:
        """Return a new secret cookie; every copy of the old one is signed out."""
        _give(request, response, await hall.renew(guest, address_of(request)))
        return GuestInfo(id=guest.id, name=guest.name)

    @app.post("/api/logout")
    async def logout(request: Request, response: Response, hall: TheHall) -> dict[str, str]:
        """Forget this browser. Nobody can come back as this guest."""
        if not same_site(request.headers):
            raise BadOrigin("this request comes from a page of another site")
        guest = await hall.guests.find(_token(request))
        if guest is not None:
            await hall.sign_out(guest)
        _give(request, response, None)
        return {"status": "ok"}

    @app.get("/api/blocks")
    async def blocks(guest: TheGuest, hall: TheHall) -> list[Blocked]:
        """Return whose chat you do not see."""
        return [Blocked(id=number, name=name) for number, name in await hall.guests.blocks(guest)]

    @app.post("/api/unblock")
    async def unblock(wish: Unblock, guest: TheGuest, hall: TheHall, request: Request) -> list[Blocked]:
        """Show you someone's chat again."""
        hall.check_report(guest, address_of(request))
        if 0 < wish.id < 1 << 31:
            await hall.guests.unblock(guest, wish.id, hall.worker)
        return await blocks(guest, hall)

    @app.post("/api/tables")
    async def open_table(wish: NewTable, guest: TheGuest, hall: TheHall, request: Request) -> Opened:
        """Open a table."""
        table = await hall.open(guest, wish, address_of(request))
        return Opened(table=table.id)

    @app.get("/api/mine")
    async def mine(
        guest: TheGuest,
        hall: TheHall,
        request: Request,
        tables: Annotated[str, Query(max_length=400, pattern="^[a-z0-9,]*$")] = "",
    ) -> list[MyTable]:
        """Return your unfinished tables. `tables` names, with commas, where this browser sat."""
        return await hall.tables_of(guest, tables.split(","), address_of(request))

    @app.get("/api/tables/{table}")
    async def table_info(table: str, hall: TheHall, request: Request) -> TableInfo:
        """Return the public information about a table."""
        return (await hall.find(table, address_of(request))).info()

    @app.get(
        "/api/tables/{table}/record/{hand}", response_class=Response, responses=_text("application/jsonl")
    )
    async def record(table: str, hand: int, hall: TheHall, request: Request) -> Response:
        """Return a finished hand as JSON lines for `qipai replay` and `qipai verify`."""
        await _check_game(hall, table)
        data = await hall.store.read_slowly(
            lambda c: replays.record(*replays.read_match(c, table, hand, hall.signer.knows)),
            address_of(request),
        )
        name = f"attachment; filename=qipai-{table}-{hand}.jsonl"
        return Response(data, media_type="application/jsonl", headers={"content-disposition": name})

    @app.get("/api/tables/{table}/replay/{hand}")
    async def replay(
        table: str,
        hand: int,
        guest: TheGuest,
        hall: TheHall,
        request: Request,
        start: Annotated[int, Query(ge=0, le=100_000)] = 0,
        count: Annotated[int, Query(ge=1, le=replays.MOST_FRAMES)] = 50,
    ) -> Replay:
        """Return positions of a finished hand, with the views of all seats."""
        await _check_game(hall, table)

        def read(connection: Connection) -> Replay:
            match, row = replays.read_match(connection, table, hand, hall.signer.knows)
            seat = replays.seat_of(connection, table, hand, guest.id)
            return replays.replay(match, row, table, seat, start, count)

        return await hall.store.read_slowly(read, address_of(request))

    @app.get("/api/history")
    async def history(
        guest: TheGuest,
        hall: TheHall,
        request: Request,
        before: Annotated[str, Query(max_length=80)] = "",
        count: Annotated[int, Query(ge=1, le=replays.MOST_RESULTS)] = replays.PAGE,
    ) -> History:
        """Return the hands that you played, newest first, page by page, and your totals."""
        return await hall.store.read_slowly(
            lambda c: replays.history(c, guest.id, before, count), address_of(request)
        )

    @app.get("/api/reach")
    async def reach(request: Request, hall: TheHall) -> Reach:
        """Return addresses at which other machines of the network may open this server.

        Only this machine is told: they are private, and a visitor has one already.
        """
        if not _is_local(request):
            return Reach(addresses=[])
        server = request.scope.get("server")
        port = server[1] if server else None
        return Reach(addresses=await asyncio.to_thread(addresses, hall.settings, port))

    @app.get("/api/lessons/{game}")
    async def lesson(game: str, hall: TheHall) -> Lesson:
        """Return a guided first game."""
        if game in hall.catalog.names:
            hall.catalog.want(game)
        return await asyncio.to_thread(lessons.lesson, game)

    @app.get("/api/rules/{game}", response_class=Response, responses=_text("text/markdown"))
    async def rules(
        game: str, lang: Annotated[str, Query(pattern="^(zh|en|ja)$")] = "en"
    ) -> PlainTextResponse:
        """Return the rules as Markdown; in English if the language is missing."""
        text = without_commands(rules_text(get(game), lang))
        return PlainTextResponse(text, media_type="text/markdown; charset=utf-8")

    @app.get("/.well-known/qipai-key.json")
    async def signing_key(hall: TheHall) -> SigningKeys:
        """Return the public key that signs the records of this server, and those that did before."""
        return SigningKeys.model_validate(await asyncio.to_thread(hall.signer.published))

    @app.get("/livez", include_in_schema=False)
    async def livez() -> dict[str, str]:
        """Return that the process answers."""
        return {"status": "ok"}

    @app.get("/readyz", include_in_schema=False)
    @app.get("/healthz", include_in_schema=False)
    async def readyz(hall: TheHall) -> JSONResponse:
        """Return whether this worker can do its work; 503 with the names of failed checks if not."""
        failing = await hall.health.failing()
        if failing:
            return JSONResponse({"status": "unready", "failing": failing}, 503)
        return JSONResponse({"status": "ok"})

    @app.get("/metrics", include_in_schema=False)
    async def metrics(request: Request, hall: TheHall) -> PlainTextResponse:
        """Return the metrics, to this machine only: the rows written reveal whether a seat was asked."""
        if not _is_local(request):
            raise NotFound("there is no such page")
        return PlainTextResponse(hall.metrics.text(hall.gauges()), media_type="text/plain; version=0.0.4")


def _is_local(request: Request) -> bool:
    """Return whether a request comes from this machine, and not through a proxy."""
    relayed = any(name in request.headers for name in FORWARDED)
    return not relayed and request.client is not None and request.client.host in LOOPBACK


def _text(media: str) -> dict[int | str, dict[str, Any]]:
    """Describe a text response for the OpenAPI document."""
    return {200: {"content": {media: {"schema": {"type": "string"}}}}}


async def _check_game(hall: Hall, table: str) -> None:
    """Raise if the table does not exist or its game is not installed."""
    if TABLE_ID.fullmatch(table) is None:  # some databases reject some strings in a query
        raise UnknownTable("there is no such table")
    setup = await hall.store.read(lambda c: ledger.find_setup(c, table))
    if setup is None:
        raise UnknownTable("there is no such table")
    hall.catalog.want(setup.game, setup.options)


# --- sockets ----------------------------------------------------------------------------


def _add_sockets(app: FastAPI) -> None:
    @app.websocket("/ws/lobby")
    async def lobby(web: WebSocket, packed: Annotated[bool, Query()] = False) -> None:
        hall: Hall = web.app.state.hall
        guest = await _enter(hall, web)
        if guest is not None:
            try:
                await sockets.serve_lobby(hall, web, guest, packed)
            finally:
                _leave(hall, web, guest)

    @app.websocket("/ws/table/{table}")
    async def at_table(
        web: WebSocket,
        table: str,
        since: Annotated[int | None, Query(ge=0)] = None,
        hand: Annotated[int, Query(ge=-1)] = -1,
    ) -> None:
        hall: Hall = web.app.state.hall
        guest = await _enter(hall, web)
        if guest is None:
            return
        try:
            try:
                found = await hall.find(table, address_of(web))
            except (HallFull, UnknownTable) as error:
                await web.close(sockets.FULL if isinstance(error, HallFull) else sockets.UNKNOWN)
                return
            except Exception as error:
                await web.close(_fault(hall, web, error))
                return
            told = None if since is None else (hand, since)
            await sockets.serve_table(hall, web, guest, found, told)
        finally:
            _leave(hall, web, guest)


async def _enter(hall: Hall, web: WebSocket) -> Guest | None:
    """Accept a socket from our own page, if there is room."""
    await web.accept()
    if not same_site(web.headers) or not known_host(web.headers, hall.settings.hosts):
        await web.close(sockets.OTHER_SITE)
        return None
    address = address_of(web)
    crowded = hall.addresses[address] >= hall.settings.sockets_per_address
    if crowded or hall.sockets >= hall.settings.sockets:
        await web.close(sockets.FULL)
        return None
    hall.sockets += 1  # before the database is asked: others would pass the check meanwhile
    hall.addresses[address] += 1
    found = await _admit(hall, web, address)
    if isinstance(found, int):
        _give_place(hall, address)
        await web.close(found)
        return None
    hall.guests_here[found.id] += 1
    return found


async def _admit(hall: Hall, web: WebSocket, address: str) -> Guest | int:
    """Return who opened a socket, or the code to close it with if they may not."""
    try:
        hall.check_request(address)
        guest = await hall.guests.find(_token(web))
        if guest is None:  # may watch, and sits down under this name until the socket closes
            hall.check_newcomer(address)
            guest = await hall.guests.newcomer()
        hall.check_ban(guest)
    except (TooFast, Banned) as error:
        return sockets.SLOW if isinstance(error, TooFast) else BANNED
    except Exception as error:
        return _fault(hall, web, error)
    return guest


def _leave(hall: Hall, web: WebSocket, guest: Guest) -> None:
    _give_place(hall, address_of(web))
    _subtract(hall.guests_here, guest.id)
    hall.stir()


def _give_place(hall: Hall, address: str) -> None:
    """Stop counting a socket."""
    hall.sockets -= 1
    _subtract(hall.addresses, address)


def _subtract(count: Counter[str], key: str) -> None:
    count[key] -= 1
    if count[key] <= 0:
        del count[key]


def address_of(asker: HTTPConnection) -> str:
    """Return what limits count the address of a client as; empty if it is not known."""
    return counted(asker.client.host) if asker.client else ""


def _fault(hall: Hall, web: WebSocket, error: Exception) -> int:
    """Log an internal error; return the code that tells a client to reconnect by itself."""
    hall.metrics.errors += 1
    log("socket/fault", logging.ERROR, error, path=web.url.path[:200])
    return sockets.FAULT


# --- errors -----------------------------------------------------------------------------


def problem(error: QipaiError) -> JSONResponse:
    """Return an error as a response, in the only format that errors have."""
    status = error.status if isinstance(error, Refusal) else 400
    return JSONResponse(error.to_json(), status)


def _add_errors(app: FastAPI) -> None:
    @app.middleware("http")
    async def bounded(request: Request, call_next: Any) -> Response:
        """Reject requests above the limit of an address, and bodies without a stated size or too large."""
        hall: Hall = request.app.state.hall
        try:
            if request.url.path != UNLIMITED:
                hall.check_request(address_of(request))
        except TooFast as error:
            hall.metrics.refuse(error.code)
            return problem(error)
        length = request.headers.get("content-length", "0")
        if request.method == "POST" and (
            not length.isdigit() or int(length) > BODY or "transfer-encoding" in request.headers
        ):
            return problem(TooLarge("the request is too large"))
        if not known_host(request.headers, hall.settings.hosts):
            return problem(BadOrigin("this server is not known under this name"))
        try:
            response: Response = await call_next(request)
        except Exception as error:  # handled here because exception handlers run outside all middleware
            hall.metrics.errors += 1
            log("request/fault", logging.ERROR, error, path=request.url.path[:200])
            return JSONResponse({"code": "server/fault", "message": "internal error"}, 500)
        return response

    @app.exception_handler(QipaiError)
    async def refused(request: Request, error: QipaiError) -> JSONResponse:
        request.app.state.hall.metrics.refuse(error.code)
        return problem(error)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        found = error.errors()[0] if error.errors() else {}
        where = ".".join(str(part)[:40] for part in found.get("loc", ())[1:])
        return problem(BadMessage(f"{where}: {found.get('msg', 'malformed')}" if where else "malformed"))

    @app.exception_handler(HTTPException)
    async def unknown(request: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == 400:  # a body that cannot be parsed
            return problem(BadMessage("malformed"))
        answer = problem(NotFound("there is no such page"))
        answer.status_code = error.status_code
        return answer
