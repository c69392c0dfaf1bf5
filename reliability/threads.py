"""Work in threads whose own work is in other processes."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_threads(work: Callable[[Item], Result], items: Sequence[Item], workers: int) -> Iterator[Result]:
    """Yield ``work(item)`` of every item, each as soon as it is done.

    The threads are daemons, so that an interruption need not wait for the processes they started; these must end with
    this one however it ends. An exception in `work` is raised here, after the work that had begun has ended and been
    yielded no more.
    """
    to_do: queue.SimpleQueue[Item] = queue.SimpleQueue()
    for item in items:
        to_do.put(item)
    done: queue.SimpleQueue[Result | BaseException] = queue.SimpleQueue()
    stop = threading.Event()

    def loop() -> None:
        try:
            while not stop.is_set():
                done.put(work(to_do.get_nowait()))
        except queue.Empty:
            return
        except BaseException as error:
            done.put(error)

    threads = [threading.Thread(target=loop, daemon=True) for _ in range(min(workers, len(items)))]
    for thread in threads:
        thread.start()
    try:
        for _ in items:
            result = done.get()
            if isinstance(result, BaseException):
                stop.set()
                for thread in threads:  # what they have begun is nearly done, and is kept
                    thread.join()
                raise result
            yield result
    finally:
        stop.set()
