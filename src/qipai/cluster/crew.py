"""`Crew`: actors of a Ray cluster that keep something between calls; one that is lost is replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qipai.core.errors import LostWorker, NoCluster

from .pool import TRIES
from .remote import cores

# (number, how many actors had this place before): the arguments of an actor
Arguments = Callable[[int, int], tuple[Any, ...]]


class Crew:
    """A number of actors of one class, spread over the nodes, one core each.

    `kind` is a plain class whose methods return a pair: something small, and something that may be large and
    stays in the object store until another actor requests it.
    """

    def __init__(self, ray: Any, kind: type, count: int, arguments: Arguments) -> None:
        self.ray, self.kind, self.count, self.arguments = ray, kind, count, arguments
        if cores(ray) < count:
            raise NoCluster(f"the cluster offers {cores(ray)} cores, and {count} workers are asked for")
        self.lives = [0] * count
        self.actors = [self._hire(k) for k in range(count)]

    def _hire(self, k: int) -> Any:
        """Return a new actor for place `k`; if a node is gone permanently, one that shares a core."""
        whole = cores(self.ray) >= self.count
        options = {"num_cpus": 1 if whole else 0, "scheduling_strategy": "SPREAD"}
        return self.ray.remote(self.kind).options(**options).remote(*self.arguments(k, self.lives[k]))

    def call(self, method: str, *given: Any) -> list[tuple[Any, Any]]:
        """Call a method of every actor; return (the small part, a reference to the large one) of each.

        An actor that is lost meanwhile is replaced, and its successor called; raise `LostWorker` if that is
        lost as well, three times in a row.
        """
        begun = [self._begin(k, method, given) for k in range(self.count)]
        return [self._end(k, method, given, begun[k]) for k in range(self.count)]

    def _begin(self, k: int, method: str, given: tuple[Any, ...]) -> list[Any]:
        found: list[Any] = getattr(self.actors[k], method).options(num_returns=2).remote(*given)
        return found

    def _end(self, k: int, method: str, given: tuple[Any, ...], begun: list[Any]) -> tuple[Any, Any]:
        for _ in range(TRIES):
            try:
                return self.ray.get(begun[0]), begun[1]
            except self.ray.exceptions.RayTaskError as error:
                raise (error.cause if isinstance(error.cause, Exception) else error) from error
            except self.ray.exceptions.RayError:
                self.lives[k] += 1
                self.actors[k] = self._hire(k)
                begun = self._begin(k, method, given)
        raise LostWorker(f"worker {k} was lost {TRIES} times in a row")

    def close(self) -> None:
        """End the actors."""
        for actor in self.actors:
            self.ray.kill(actor)
