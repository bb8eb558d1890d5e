"""Simulate the plan of docs/scale.md: python benchmarks/scale.py [--tables 100000] [--cell 8].

A cell is one PostgreSQL with a few workers; every table belongs to one cell and, inside it, to one worker.
The simulation moves in steps of 50 ms: people arrive and act, workers and databases work off what is queued,
workers and databases fail and come back. What things cost is read from `scale.json`, which holds figures
of `benchmarks/serve.py --json`, `benchmarks/scale.py --notes` and `benchmarks/scale.py --parts`. What is
assumed instead has a name below, with its reason; docs/scale.md lists it.

`--measure` writes that file: in each of `--rounds` rounds three runs of about a minute, alone on the machine
if possible; the file holds the means, and single runs are printed. `--parts` adds to the file that is there
what sockets, loading and commits cost. `--check` simulates the measured runs with one and two workers, with
the costs of one worker, and compares what they cost. It exits with 1 if a figure is off by more than 15 %, or
if an action costs more than 1.15 times as much with two workers. Latency is not validated.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from importlib import util
from pathlib import Path
from typing import Any

import numpy as np

from qipai.server.settings import Settings

STEP = 0.05  # seconds
MEASURED = Path(__file__).with_name("scale.json")
DEARER = 1.15  # times as much processor time as with one worker an action may cost with two
CLOSE = 0.15  # share by which a simulated figure may differ from a measured one
# Assumed: nothing here can be measured before such a service runs. docs/scale.md lists it.
RATE = 0.5  # actions per second at a table in play: a person among bots makes one every two seconds
PEOPLE = 4  # sockets per table: a full table of people, the most expensive one
FULL = 0.6  # share of its core that a worker is planned with
DATABASE_CORES = 4.0  # of the machine of a cell's database
WORKER_FAULTS = 1.0  # per worker per hour: far more than the soak saw (none in half an hour with 100 tables)
DATABASE_FAULTS = 0.2  # per cell per hour: one in five hours, likewise
VISITS = 2.0  # of 1,000 tables, how many open per second, and end: a table is in play for eight minutes
RESTART = 20.0  # seconds until a worker is back; after a kill all tables moved in 13 s (docs/proof/server.md)
FAILOVER = 30.0  # seconds until a database is back: the default of `ttl` in Patroni
LEASE = Settings().lease  # the server's own
# Used until `--parts` has measured them.
CONNECT, LOAD, COMMIT = 4.0, 10.0, 2.0  # milliseconds
BINS = np.concatenate([[0.0], np.geomspace(1e-3, 600, 200)])  # of waiting times, in seconds


@dataclass(frozen=True)
class Costs:
    """What things cost, in seconds of one core or in bytes, from the runs with one worker."""

    action: float  # a worker's time for one action at a table of four
    table: float  # a worker's time per second for holding a table
    note: float  # a worker's time for one notification of another worker
    database: float  # the database's time for one action
    database_table: float  # the database's time per second for a table that a worker holds
    wire: float  # bytes to and from the people at the table, per action
    rows: float  # rows written per action
    log: float  # bytes of write-ahead log per action
    log_table: float  # the same per second for a table that a worker holds
    connect: float = CONNECT / 1e3  # a worker's time for a new socket, TLS being the proxy's work
    load: float = LOAD / 1e3  # a worker's time to read a table from its rows
    commit: float = COMMIT / 1e3  # until a commit is done on an idle database; not processor time


@dataclass(frozen=True)
class Plan:
    """How tables are divided, and how often something fails."""

    tables: int
    cells: int = 1
    workers: int = 1  # per cell
    rate: float = RATE
    people: int = PEOPLE
    database_cores: float = DATABASE_CORES
    visits: float = 0.0  # tables that open per second and 1,000 tables; as many end
    worker_faults: float = 0.0  # per worker per hour
    database_faults: float = 0.0  # per cell per hour
    lease: float = LEASE  # seconds until another worker takes a table over
    restart: float = RESTART
    failover: float = FAILOVER
    aware: bool = False  # workers of other cells hear of every action as well: one channel for all


@dataclass
class Result:
    """What a simulation saw."""

    actions: int
    seconds: float
    p50: float  # seconds from sending an action to the news of it
    p99: float
    stalled: float  # share of table-seconds in which a table had no worker or no database
    busiest: float  # share of a core that the busiest worker used
    server: float  # seconds of workers' cores per action
    database: float  # seconds of databases' cores per action
    database_share: float  # of the busiest database's cores
    wire: float  # bytes per second
    log: float  # bytes per second
    rows: float  # per second
    faults: int


class Simulation:
    """Cells, workers and tables as arrays of one number each; `run` returns what was seen."""

    def __init__(self, plan: Plan, costs: Costs, seed: int = 0) -> None:
        self.plan, self.costs = plan, costs
        self.rng = np.random.default_rng(seed)
        shape = (plan.cells, plan.workers)
        each = plan.tables / (plan.cells * plan.workers)
        self.tables = np.full(shape, each)  # held by a worker
        self.orphans = np.zeros(plan.cells)  # whose worker failed, until the lease ends
        self.moving: list[tuple[float, int, float]] = []  # when, cell, tables
        self.backlog = np.zeros(shape)  # seconds of work that wait
        self.open = np.zeros(shape)  # actions that wait for the database
        self.queue = np.zeros(plan.cells)  # seconds of the database's work that wait
        self.down = np.zeros(shape)  # seconds until a worker is back
        self.away = np.zeros(plan.cells)  # seconds until a database is back
        self.waits = np.zeros(len(BINS))
        self.sums = dict.fromkeys(("actions", "server", "database", "stalled", "held", "faults"), 0.0)
        self.worker_time = np.zeros(shape)
        self.database_time = np.zeros(plan.cells)

    def run(self, seconds: float) -> Result:
        """Run for so many seconds and return what was seen."""
        steps = max(1, round(seconds / STEP))
        for step in range(steps):
            self._fail(step * STEP)
            self._move(step * STEP)
            self._work()
        took = steps * STEP
        actions = max(self.sums["actions"], 1.0)
        held = self.plan.tables
        return Result(
            actions=int(self.sums["actions"]),
            seconds=took,
            p50=self._quantile(0.5),
            p99=self._quantile(0.99),
            stalled=self.sums["stalled"] / max(self.sums["held"], 1e-9),
            busiest=float(self.worker_time.max() / took),
            server=self.sums["server"] / actions,
            database=self.sums["database"] / actions,
            database_share=float(self.database_time.max() / took / self.plan.database_cores),
            wire=actions * self.costs.wire / took,
            log=actions * self.costs.log / took + held * self.costs.log_table,
            rows=actions * self.costs.rows / took,
            faults=int(self.sums["faults"]),
        )

    def _fail(self, now: float) -> None:
        """Let workers and databases fail, and come back."""
        plan = self.plan
        back = (self.down > 0) & (self.down <= STEP)
        self.down = np.maximum(0.0, self.down - STEP)
        self.away = np.maximum(0.0, self.away - STEP)
        for cell, worker in zip(*np.nonzero(back), strict=True):  # takes its share of the tables again
            share = self.tables[cell].sum() / plan.workers
            rest = self.tables[cell].sum() - self.tables[cell, worker]
            if rest > 0:
                self.tables[cell] *= (rest - share) / rest
                self.tables[cell, worker] = share
                self.backlog[cell, worker] += share * self._coming()
        for cell, worker in zip(*np.nonzero(self._hits(plan.worker_faults, self.down)), strict=True):
            self.sums["faults"] += 1
            lost, self.tables[cell, worker] = self.tables[cell, worker], 0.0
            self.backlog[cell, worker] = self.open[cell, worker] = 0.0
            self.down[cell, worker] = plan.restart
            self.orphans[cell] += lost
            self.moving.append((now + plan.lease, int(cell), lost))
        for cell in np.nonzero(self._hits(plan.database_faults, self.away))[0]:
            self.sums["faults"] += 1
            self.away[cell] = plan.failover

    def _hits(self, per_hour: float, out: Any) -> Any:
        return (self.rng.random(out.shape) < per_hour / 3600 * STEP) & (out == 0)

    def _coming(self) -> float:
        """Return a worker's time for a table that moves to it, with its people."""
        return self.costs.load + self.plan.people * self.costs.connect

    def _move(self, now: float) -> None:
        """Give the tables of failed workers to the others of their cell, once their leases have ended."""
        due = [move for move in self.moving if move[0] <= now]
        self.moving = [move for move in self.moving if move[0] > now]
        for when, cell, lost in due:
            alive = self.down[cell] == 0
            if not alive.any():
                self.moving.append((when + 1.0, cell, lost))
                continue
            share = lost / alive.sum()
            self.tables[cell, alive] += share
            self.backlog[cell, alive] += share * self._coming()
            self.orphans[cell] -= lost

    def _work(self) -> None:
        """Let people act and everyone work for one step."""
        plan, costs = self.plan, self.costs
        alive = self.down == 0
        up = self.away == 0
        free = np.maximum(0.0, self.tables - self.open)  # a table with an action under way waits for it
        came = self.rng.poisson(free * plan.rate * STEP) * alive
        opened = self.rng.poisson(self.tables * plan.visits / 1000 * STEP) * alive
        per_cell = came.sum(axis=1)
        heard = per_cell[:, None] - came  # notes of the other workers of the cell
        if plan.aware:
            heard = per_cell.sum() - came
        work = came * costs.action + heard * alive * costs.note + self.tables * costs.table * STEP
        work += opened * self._coming()
        before = self.backlog.copy()
        self.backlog += work
        done = np.minimum(self.backlog, STEP) * alive
        self.backlog -= done
        stored = per_cell * costs.database + self.tables.sum(axis=1) * costs.database_table * STEP
        waiting = self.queue.copy()
        self.queue += stored
        written = np.minimum(self.queue, plan.database_cores * STEP) * up
        self.queue -= written
        self.open = np.where(up[:, None], 0.0, self.open + came)
        self._note_waits(came, before, waiting)
        self.worker_time += done
        self.database_time += written
        self.sums["actions"] += came.sum()
        self.sums["server"] += done.sum()
        self.sums["database"] += written.sum()
        lost = self.orphans.sum() + self.tables[~up].sum()
        self.sums["stalled"] += lost * STEP
        self.sums["held"] += (self.tables.sum() + self.orphans.sum()) * STEP

    def _note_waits(self, came: Any, backlog: Any, queue: Any) -> None:
        """Add the waiting times of the actions of this step: for the worker, the database and its return."""
        plan, costs = self.plan, self.costs
        database = queue / plan.database_cores + costs.commit + self.away
        waits = backlog + costs.action + database[:, None]
        # Within a step, actions queue behind each other as in a queue with fixed times of service.
        load = np.minimum(0.98, came * costs.action / STEP)
        waits = waits + costs.action * load / (2 * (1 - load))
        places = np.searchsorted(BINS, waits.ravel(), side="right") - 1
        np.add.at(self.waits, np.clip(places, 0, len(BINS) - 1), came.ravel())

    def _quantile(self, share: float) -> float:
        total = np.cumsum(self.waits)
        if total[-1] == 0:
            return 0.0
        place = int(np.searchsorted(total, share * total[-1]))
        return float(BINS[min(place + 1, len(BINS) - 1)])


# --- measured -----------------------------------------------------------------------------


def read_measured(path: Path = MEASURED) -> dict[str, Any]:
    """Return the measured runs."""
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def fit(measured: dict[str, Any]) -> Costs:
    """Return the costs from two runs with one worker: the same tables with many and with few actions."""
    busy, quiet = measured["busy"], measured["quiet"]
    tables = busy["clients"] / 4

    def split(key: str, scale: float) -> tuple[float, float]:
        """Return the cost per action, and per table per second."""
        high, low = busy["actions per second"], quiet["actions per second"]
        per_second = [run[key] * scale * run["actions per second"] for run in (busy, quiet)]
        slope = max(0.0, (per_second[0] - per_second[1]) / (high - low))
        return slope, max(0.0, per_second[1] - slope * low) / tables

    action, table = split("server, processor ms per action", 1e-3)
    database, database_table = split("database, processor ms per action", 1e-3)
    log, log_table = split("database, WAL bytes per action", 1.0)
    rows, _ = split("database, rows per action", 1.0)
    wire = busy["wire, bytes per action"]
    parts = {"connect": CONNECT, "load": LOAD, "commit": COMMIT}
    found = {name: 1e-3 * measured.get(f"{name}_ms", assumed) for name, assumed in parts.items()}
    note = measured["note_us"] * 1e-6
    return Costs(action, table, note, database, database_table, wire, rows, log, log_table, **found)


def compare(measured: dict[str, Any], seed: int = 0, seconds: float = 60.0) -> list[dict[str, Any]]:
    """Return measured and simulated figures of the runs with one and two workers.

    Latencies, if they were measured, are shown and not judged: the simulation knows nothing of what else
    delays an action.
    """
    costs = fit(measured)
    rows = []
    for name in ("busy", "two"):
        run = measured[name]
        tables = run["clients"] // 4
        rate = run["actions per second"] / tables
        plan = Plan(tables=tables, workers=run["workers"], rate=rate)
        found = Simulation(plan, costs, seed).run(seconds)
        rate = run["actions per second"]
        pairs = {
            "actions per second": (rate, found.actions / found.seconds),
            "server, processor ms per action": (run["server, processor ms per action"], 1e3 * found.server),
            "database, processor ms per action": (
                run["database, processor ms per action"],
                1e3 * found.database,
            ),
            "wire, bytes per second": (run["wire, bytes per action"] * rate, found.wire),
            "WAL, bytes per second": (run["database, WAL bytes per action"] * rate, found.log),
        }
        for figure, simulated in (("to everyone, median ms", found.p50), ("to everyone, 99 % ms", found.p99)):
            if figure in run:
                pairs[figure] = (run[figure], 1e3 * simulated)
        for figure, (real, simulated) in pairs.items():
            off = simulated / real - 1 if real else 0.0
            rows.append(
                {
                    "workers": run["workers"],
                    "figure": figure,
                    "measured": real,
                    "simulated": simulated,
                    "off": off,
                    "judged": not figure.endswith(" ms"),
                }
            )
    return rows


def measure_notes(count: int = 20_000) -> float:
    """Return the microseconds of processor time that a worker spends on one notification."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    import psycopg
    from tests.server.postgres import postgres

    async def listen(url: str) -> float:
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as here:
            await here.execute("LISTEN qipai")
            with psycopg.connect(url) as there:
                for number in range(count):
                    there.execute("SELECT pg_notify('qipai', %s)", (f"{number:010d} 0123456789ab",))
            before, heard = time.process_time(), 0
            async for note in here.notifies():
                table, _, _worker = note.payload.partition(" ")
                heard += table != ""
                if heard == count:
                    break
            return 1e6 * (time.process_time() - before) / count

    with postgres() as url:
        return asyncio.run(listen(url))


def measure_parts(tables: int = 100, compiled: bool = True) -> dict[str, float]:
    """Return milliseconds for a socket and for loading a table (a worker's processor time), and for a commit.

    The server runs in a thread of this process and its clients in another one, so that the processor time
    of this process is the worker's. Every table has a hand of NANA with forty moves.
    """
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.server.live import live, until
    from tests.server.postgres import postgres

    from qipai.core import Player
    from qipai.match import Match
    from qipai.server.store import ledger

    match = Match("nana", seats=PEOPLE, seed=bytes(32))
    players = [Player(match.game, "random", 1, seat) for seat in range(PEOPLE)]
    while len(match.moves) < 40 and not match.over:
        match.act(match.seat, players[match.seat].move(match.state))

    with (
        postgres() as url,
        tempfile.TemporaryDirectory() as folder,
        live(Path(folder), database=url) as server,
    ):
        hall = server.hall
        if compiled:
            hall.catalog.want("nana")
            until(lambda: hall.catalog.ready("nana"), 600)
        person = server.person()
        names = [person.open("nana", seats=PEOPLE) for _ in range(tables)]

        async def deal(name: str) -> None:
            first = hall.tables[name].seating.entries

            def work(connection: Any) -> None:
                ledger.add_hand(connection, name, 0, match.head(), [""] * PEOPLE)
                ledger.add_moves(connection, name, 0, 0, 0, match.moves)
                ledger.add_entries(connection, name, first, [("hand", {"hand": 0})])

            await hall.store.write(work)
            hall.let_go(hall.tables[name])

        async def load() -> tuple[float, float]:
            for name in names:
                await deal(name)
            before = time.process_time()
            for name in names:
                await hall.find(name)
            loaded, times = time.process_time() - before, []
            for name in names:
                started = time.perf_counter()
                await hall.store.write(lambda c, name=name: ledger.touch(c, name, None))  # type: ignore[misc]
                times.append(time.perf_counter() - started)
            return loaded / tables, float(np.median(times))

        loaded, commit = asyncio.run_coroutine_threadsafe(load(), hall.loop).result(600)
        before = time.process_time()
        command = [sys.executable, "-c", VISITORS, str(server.port), str(PEOPLE), *names]
        client = subprocess.Popen(command, stdin=subprocess.PIPE)
        until(lambda: hall.sockets == PEOPLE * tables, 600)
        spent = time.process_time() - before
        client.communicate(timeout=60)
    return {
        "connect_ms": round(1e3 * spent / (PEOPLE * tables), 3),
        "load_ms": round(1e3 * loaded, 3),
        "commit_ms": round(1e3 * commit, 3),
    }


# Opens sockets to the tables that it is given, reads what they are sent at first, and waits for its end.
VISITORS = """
import sys
from contextlib import ExitStack
from websockets.sync.client import connect
port, each, *names = sys.argv[1:]
with ExitStack() as stack:
    for name in names:
        for _ in range(int(each)):
            socket = stack.enter_context(connect(f"ws://127.0.0.1:{port}/ws/table/{name}", max_size=None))
            while '"state"' not in str(socket.recv())[:20]:
                pass
    sys.stdin.read()
"""


def measure(clients: int, rate: float, seconds: float, rounds: int) -> dict[str, Any]:
    """Measure one worker with many and with few actions, and two workers, in turn; return the means."""
    spec = util.spec_from_file_location("benchmarks_serve", Path(__file__).with_name("serve.py"))
    assert spec is not None and spec.loader is not None
    serve = util.module_from_spec(spec)
    spec.loader.exec_module(serve)
    fixed = {"postgres": True, "database": "", "full_sync": False, "routing": "table"}
    found: dict[str, Any] = {"note_us": round(measure_notes(), 2), **measure_parts()}
    runs: dict[str, list[dict[str, Any]]] = {"busy": [], "quiet": [], "two": []}
    for _ in range(rounds):
        for name, workers, chosen in (("busy", 1, rate), ("quiet", 1, rate / 10), ("two", 2, rate)):
            given = {"clients": clients, "rate": chosen, "seconds": seconds, "workers": workers}
            with tempfile.TemporaryDirectory() as folder:
                runs[name].append(serve.measure(argparse.Namespace(**given, **fixed), Path(folder)))
            print(name, json.dumps(runs[name][-1]), flush=True)
        print(f"two workers cost {ratio({name: one[-1] for name, one in runs.items()}):.2f} times as much")
    return found | {name: mean(many) for name, many in runs.items()}


def mean(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the means of the figures of several runs; what an action costs is weighted by the actions."""
    weights = np.array([run["actions per second"] for run in runs])
    found: dict[str, Any] = {"runs": len(runs)}
    for name, value in runs[0].items():
        values = [run[name] for run in runs]
        if name in ("clients", "workers"):
            found[name] = value
        elif name.endswith("per action"):
            found[name] = round(float(weights @ np.array(values) / weights.sum()), 4)
        elif isinstance(value, int | float):
            found[name] = round(float(np.mean(values)), 4)
    return found


def ratio(measured: dict[str, Any]) -> float:
    """Return how many times as much processor time an action costs with two workers as with one."""
    key = "server, processor ms per action"
    return float(measured["two"][key] / measured["busy"][key])


# --- steps of growth ------------------------------------------------------------------------


def steps(costs: Costs, cell: int, seconds: float, seed: int) -> list[tuple[str, Plan, Result]]:
    """Return the simulations of each size in docs/scale.md, without and with failures."""
    faults: dict[str, Any] = {
        "worker_faults": WORKER_FAULTS,
        "database_faults": DATABASE_FAULTS,
        "visits": VISITS,
    }
    most = max(1, int(FULL / (RATE * costs.action + costs.table)))  # tables of a worker
    found = []
    for tables in (most, 1_000, 10_000, 100_000):
        workers = -(-tables // most)
        cells = -(-workers // cell)
        plan = Plan(tables=tables, cells=cells, workers=-(-workers // cells))
        for name, given in (("", dict[str, Any]()), (" with failures", faults)):
            chosen = replace(plan, **given)
            found.append((f"{tables} tables{name}", chosen, Simulation(chosen, costs, seed).run(seconds)))
    one = Plan(tables=100_000, cells=-(-100_000 // most // cell) + 1, workers=cell, aware=True)
    found.append(("100000 tables, one channel", one, Simulation(one, costs, seed).run(min(seconds, 30.0))))
    return found


def main(argv: list[str] | None = None) -> int:
    """Print what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=0, help="one size only")
    parser.add_argument("--cell", type=int, default=8, help="workers per database")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--check", action="store_true", help="compare with the measured runs")
    parser.add_argument("--notes", action="store_true", help="measure what a notification costs")
    parser.add_argument("--parts", action="store_true", help="measure sockets, loading and commits")
    parser.add_argument("--measure", action="store_true", help="measure the costs again, with PostgreSQL")
    parser.add_argument("--clients", type=int, default=200, help="of --measure")
    parser.add_argument("--rate", type=float, default=60.0, help="of --measure: actions per second")
    parser.add_argument("--time", type=float, default=30.0, help="of --measure: seconds per run")
    parser.add_argument("--rounds", type=int, default=3, help="of --measure")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    if args.notes:
        print(f"{measure_notes():.1f} µs per notification")
        return 0
    if args.parts:
        parts = measure_parts()
        MEASURED.write_text(json.dumps({**read_measured(), **parts}, indent=1) + "\n")
        print(json.dumps(parts))
        return 0
    if args.measure:
        found = measure(args.clients, args.rate, args.time, args.rounds)
        MEASURED.write_text(json.dumps(found, indent=1) + "\n")
    measured = read_measured()
    if args.check or args.measure:
        rows = compare(measured, args.seed)
        for row in rows:
            both = f"{row['measured']:12.3f} {row['simulated']:12.3f}"
            note = "" if row["judged"] else " (not judged)"
            print(f"{row['workers']} {row['figure']:36} {both} {row['off']:+.1%}{note}")
        print(f"two workers cost {ratio(measured):.2f} times as much per action")
        close = all(abs(row["off"]) <= CLOSE for row in rows if row["judged"])
        return 0 if close and ratio(measured) <= DEARER else 1
    costs = fit(measured)
    for name, plan, result in steps(costs, args.cell, args.seconds, args.seed):
        if args.tables and plan.tables != args.tables:
            continue
        if args.json:
            print(json.dumps({"name": name, **asdict(plan), **asdict(result)}))
            continue
        print(
            f"{name:34} {plan.cells:4} x {plan.workers} workers; p50 {1e3 * result.p50:.0f} ms, p99"
            f" {1e3 * result.p99:.0f} ms; busiest {result.busiest:.0%}, database {result.database_share:.0%};"
            f" stalled {result.stalled:.3%}; {result.wire / 1e6:.1f} MB/s, log {result.log / 1e6:.2f} MB/s"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
