"""The thread that commits: order, answers, errors, and its end."""

import asyncio
import threading
from functools import partial

import pytest

from shoe_daemon.runtime.worker import Worker


def test_jobs_are_done_in_order_in_one_thread_of_its_own() -> None:
    done: list[tuple[int, int]] = []

    def job(number: int) -> int:
        done.append((number, threading.get_ident()))
        return number

    async def main() -> None:
        worker = Worker("test")
        got = await asyncio.gather(*(worker.do(partial(job, n)) for n in range(100)))
        worker.close()
        assert got == list(range(100))

    asyncio.run(main())
    assert [number for number, _ in done] == list(range(100))
    assert len({thread for _, thread in done}) == 1
    assert done[0][1] != threading.get_ident()


def test_what_a_job_raises_is_raised_where_it_was_given_and_the_next_one_is_done() -> None:
    async def main() -> None:
        worker = Worker("test")
        with pytest.raises(ZeroDivisionError):
            await worker.do(lambda: 1 // 0)
        with pytest.raises(SystemExit):
            await worker.do(_leave)
        assert await worker.do(lambda: 7) == 7
        worker.close()

    asyncio.run(main())


def test_a_job_that_nobody_waits_for_any_more_does_no_harm() -> None:
    wrong: list[object] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: wrong.append(context))
        worker = Worker("test")
        go = threading.Event()
        waiting = [asyncio.create_task(worker.do(go.wait)), asyncio.create_task(worker.do(_leave))]
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        go.set()
        assert await worker.do(lambda: 7) == 7
        worker.close()

    asyncio.run(main())
    assert not wrong


def test_the_end_waits_for_what_was_given() -> None:
    async def main() -> None:
        worker = Worker("test")
        go, done = threading.Event(), threading.Event()

        def job() -> None:
            go.wait()
            done.set()

        given = asyncio.create_task(worker.do(job))
        await asyncio.sleep(0)
        go.set()
        worker.close()
        assert done.is_set()
        await given

    asyncio.run(main())


def _leave() -> None:
    raise SystemExit
