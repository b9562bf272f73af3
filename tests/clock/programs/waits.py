"""Waits of all kinds, each in a function of its own: `waits.py NAME` runs it and prints what it measured as JSON."""

import asyncio
import contextlib
import ctypes
import hashlib
import json
import mmap
import os
import queue
import random
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable

LIBC = ctypes.CDLL(None, use_errno=True)


def took(wait: Callable[[], object]) -> float:
    start = time.monotonic()
    wait()
    return time.monotonic() - start


def in_thread(wait: Callable[[], object]) -> Callable[[], float]:
    """Measures the wait in a thread; calling the result joins it."""
    measured: list[float] = []
    thread = threading.Thread(target=lambda: measured.append(took(wait)))
    thread.start()

    def join() -> float:
        thread.join()
        return measured[0]

    return join


def burn(seconds: float, block: int = 2_000) -> None:
    """Uses that much processor time. With a large block the interpreter's lock is let go meanwhile."""
    data, start = b"x" * block, time.thread_time()
    while time.thread_time() - start < seconds:
        hashlib.sha256(data).digest()


def event(seconds: float) -> Callable[[], object]:
    return lambda: threading.Event().wait(seconds)


def timer_specification(seconds: float, *, at: float = 0.0) -> bytes:
    moment = at + seconds
    return struct.pack("4q", 0, 0, int(moment), int(moment % 1 * 1e9))


def plain() -> dict[str, object]:
    left, _right = socket.socketpair()
    left.settimeout(10)

    def receive() -> None:
        try:
            left.recv(1)
        except TimeoutError:
            return
        raise AssertionError("nothing was sent")

    def get() -> None:
        try:
            queue.Queue[int]().get(timeout=10)
        except queue.Empty:
            return

    poll, epoll, locked = select.poll(), select.epoll(), threading.Lock()
    locked.acquire()
    waits: dict[str, Callable[[], object]] = {
        "sleep": lambda: time.sleep(10),
        "poll": lambda: poll.poll(10_000),
        "select": lambda: select.select([], [], [], 10),
        "epoll": lambda: epoll.poll(10),
        "socket": receive,
        "lock": lambda: locked.acquire(timeout=10),
        "event": event(10),
        "queue": get,
        "asyncio": lambda: asyncio.run(asyncio.sleep(10)),
    }
    return {name: took(wait) for name, wait in waits.items()}


def clocks() -> dict[str, object]:
    read: dict[str, Callable[[], float]] = {
        "time": time.time,
        "monotonic": time.monotonic,
        "perf_counter": time.perf_counter,
        "boottime": lambda: time.clock_gettime(time.CLOCK_BOOTTIME),
        "raw": lambda: time.clock_gettime(time.CLOCK_MONOTONIC_RAW),
        "times": lambda: os.times().elapsed,
    }
    start = {name: clock() for name, clock in read.items()}
    phase = time.time() % 1 - time.monotonic() % 1
    processor = time.process_time()
    burn(0.1)
    time.sleep(100)
    passed: dict[str, object] = {name: clock() - start[name] for name, clock in read.items()}
    return {**passed, "phase": phase, "processor": time.process_time() - processor}


def beside(wait: Callable[[], object], since: float | None = None) -> dict[str, object]:
    """A wait that cannot be skipped, beside one that can; measured from `since`, when its timer was set."""
    other = in_thread(event(60))
    start = time.monotonic() if since is None else since
    wait()
    return {"wait": time.monotonic() - start, "event": other()}


def sigtimedwait() -> dict[str, object]:
    return beside(lambda: signal.sigtimedwait([signal.SIGUSR1], 0.4))


def sigtimedwait_while_busy() -> dict[str, object]:
    busy = in_thread(lambda: burn(0.6, 3_000_000))
    waited = took(lambda: signal.sigtimedwait([signal.SIGUSR1], 0.4))
    busy()
    return {"wait": waited}


def static_child() -> dict[str, object]:
    return beside(lambda: subprocess.call([sys.argv[2]]))


def musl_child() -> dict[str, object]:
    return beside(lambda: subprocess.run([sys.argv[2]], check=True))


def stripped_child() -> dict[str, object]:
    code = "import time; time.sleep(0.4)"
    return beside(lambda: subprocess.call([sys.executable, "-S", "-c", code], env={}))


def children() -> dict[str, object]:
    code = "import time; time.sleep(30)"
    start = time.monotonic()
    child = subprocess.Popen([sys.executable, "-S", "-c", code])
    try:
        child.wait(timeout=10)
        first = "ended"
    except subprocess.TimeoutExpired:
        first = "timeout"
    after_timeout = time.monotonic() - start
    child.wait()
    after_child = time.monotonic() - start
    if (pid := os.fork()) == 0:
        time.sleep(45)
        os._exit(0)
    os.waitpid(pid, 0)
    return {"first": first, "timeout": after_timeout, "child": after_child, "fork": time.monotonic() - start}


def many_children() -> dict[str, object]:
    start = time.monotonic()
    for _ in range(5):
        subprocess.run(["/bin/true"], check=True)
    return {"took": time.monotonic() - start}


def rcvtimeo() -> dict[str, object]:
    left, _right = socket.socketpair()
    left.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, 400_000))

    def receive() -> None:
        try:
            left.recv(1)
        except BlockingIOError:
            return

    return beside(receive)


def rcvtimeo_while_busy() -> dict[str, object]:
    left, _right = socket.socketpair()
    left.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, 400_000))
    busy = in_thread(lambda: burn(0.6, 3_000_000))

    def receive() -> None:
        try:
            left.recv(1)
        except BlockingIOError:
            return

    waited = took(receive)
    busy()
    return {"wait": waited}


def timerfd(clock: int, *, absolute: bool) -> dict[str, object]:
    timer = LIBC.timerfd_create(clock, 0)
    time.sleep(500)  # moves the world's clock away from the kernel's
    now = time.clock_gettime(clock) if absolute else 0.0
    start = time.monotonic()
    LIBC.timerfd_settime(timer, int(absolute), timer_specification(0.4, at=now), None)
    measured = beside(lambda: select.select([timer], [], []), start)
    os.read(timer, 8)
    return {**measured, "afterwards": took(lambda: time.sleep(100))}


def timerfd_relative() -> dict[str, object]:
    return timerfd(time.CLOCK_MONOTONIC, absolute=False)


def timerfd_absolute() -> dict[str, object]:
    return timerfd(time.CLOCK_MONOTONIC, absolute=True)


def timerfd_wall() -> dict[str, object]:
    return timerfd(time.CLOCK_REALTIME, absolute=True)


def timerfd_raw() -> dict[str, object]:
    """Armed behind the shim's back: the system call itself, from machine code of our own."""
    timer = LIBC.timerfd_create(time.CLOCK_MONOTONIC, 0)
    specification = ctypes.create_string_buffer(timer_specification(0.4))
    start = time.monotonic()
    raw_call(286 if os.uname().machine == "x86_64" else 86, timer, 0, ctypes.addressof(specification), 0)
    return beside(lambda: select.select([timer], [], []), start)


def posix_timer() -> dict[str, object]:
    timer = ctypes.c_void_p()
    time.sleep(500)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    if LIBC.timer_create(time.CLOCK_MONOTONIC, None, ctypes.byref(timer)) != 0:
        raise OSError(ctypes.get_errno(), "timer_create")
    start = time.monotonic()
    LIBC.timer_settime(timer, 1, timer_specification(0.4, at=start), None)
    signal.sigwait([signal.SIGALRM])
    return {"wait": time.monotonic() - start}


def interval_timer() -> dict[str, object]:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    start = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 0.4)
    signal.sigwait([signal.SIGALRM])
    waited = time.monotonic() - start
    signal.setitimer(signal.ITIMER_REAL, 0)
    return {"wait": waited, "afterwards": took(lambda: time.sleep(100))}


def raw_call(number: int, *arguments: int) -> int:
    """A system call from machine code of our own: no library sees it."""
    code = {
        # mov rax,rdi; mov rdi,rsi; mov rsi,rdx; mov rdx,rcx; mov r10,r8; mov r8,r9; syscall; ret
        "x86_64": bytes.fromhex("4889f8 4889f7 4889d6 4889ca 4d89c2 4d89c8 0f05 c3"),
        # mov x8,x0; mov x0,x1; mov x1,x2; mov x2,x3; mov x3,x4; mov x4,x5; svc #0; ret
        "aarch64": bytes.fromhex("e80300aa e00301aa e10302aa e20303aa e30304aa e40305aa 010000d4 c0035fd6"),
    }[os.uname().machine]
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    prototype = ctypes.CFUNCTYPE(ctypes.c_long, *[ctypes.c_long] * 6)
    function = prototype(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    return int(function(number, *arguments, *[0] * (5 - len(arguments))))


def block_signals_raw() -> None:
    mask = ctypes.c_uint64(0xFFFF_FFFF_FFFF_FFFF)
    raw_call(14 if os.uname().machine == "x86_64" else 135, 2, ctypes.addressof(mask), 0, 8)


def raw_mask() -> dict[str, object]:
    def wait() -> None:
        block_signals_raw()
        time.sleep(0.4)

    return {"wait": in_thread(wait)()}


def raw_mask_later() -> dict[str, object]:
    def wait() -> None:
        time.sleep(10)
        block_signals_raw()
        time.sleep(0.4)

    return {"wait": in_thread(wait)()}


def libc_mask() -> dict[str, object]:
    def wait() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, range(1, 65))
        time.sleep(30)

    return {"wait": in_thread(wait)()}


def ignored_signals() -> dict[str, object]:
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
        signal.signal(number, signal.SIG_IGN)
    return {"wait": took(lambda: time.sleep(30))}


def own_signal_ends_a_sleep() -> dict[str, object]:
    """A signal of the program's own, one skipped second later, still interrupts a wait."""

    class HeardError(Exception):
        pass

    def handler(*_: object) -> None:
        raise HeardError

    signal.signal(signal.SIGUSR1, handler)
    main = threading.get_ident()
    threading.Timer(1, lambda: signal.pthread_kill(main, signal.SIGUSR1)).start()
    start = time.monotonic()
    with contextlib.suppress(HeardError):
        time.sleep(30)
    return {"wait": time.monotonic() - start}


def io_uring() -> dict[str, object]:
    number, parameters = 425, ctypes.create_string_buffer(120)
    refused = LIBC.syscall(number, 4, parameters)
    ring = ctypes.CDLL("libc.so.6", use_errno=True).syscall(number, 4, parameters)  # past the shim
    if ring < 0:
        return {"missing": os.strerror(ctypes.get_errno())}
    return {"refused": refused, "wait": took(lambda: time.sleep(0.4))}


def udp() -> dict[str, object]:
    open_socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    waited = took(lambda: time.sleep(0.4))
    open_socket.close()
    return {"wait": waited, "afterwards": took(lambda: time.sleep(100))}


def threads() -> dict[str, object]:
    """Thirty threads, five waits each, of three kinds."""
    draw, late = random.Random(1), []

    def work(number: int) -> None:
        for turn in range(5):
            duration = draw.uniform(0.05, 100)
            start = time.monotonic()
            match (number + turn) % 3:
                case 0:
                    time.sleep(duration)
                case 1:
                    threading.Event().wait(duration)
                case _:
                    with contextlib.suppress(queue.Empty):
                        queue.Queue[int]().get(timeout=duration)
            late.append(time.monotonic() - start - duration)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(30)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return {"waits": len(late), "earliest": min(late), "latest": max(late)}


def order() -> dict[str, object]:
    """Three threads whose sleeps end 0.1 ms apart, each followed by work: they have to finish in that order."""
    wrong = 0
    for _ in range(10):
        log: list[str] = []
        base = time.monotonic() + 5

        def work(name: str, offset: float, base: float = base, log: list[str] = log) -> None:
            time.sleep(base + offset - time.monotonic())
            burn(0.005)
            log.append(name)

        workers = [threading.Thread(target=work, args=each) for each in (("b", 0.002), ("c", 0.0021), ("a", 0.0))]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        wrong += log != ["a", "b", "c"]
    return {"wrong": wrong}


def busy() -> dict[str, object]:
    other = in_thread(event(60))
    return {"work": took(lambda: burn(0.3)), "event": other()}


def spin() -> dict[str, object]:
    def until(clock: Callable[[], float]) -> float:
        start = clock()
        while clock() - start < 0.3:
            pass
        return clock() - start

    return {"time": until(time.time), "monotonic": until(time.monotonic)}


def spin_on_flag() -> dict[str, object]:
    """Not on the clock: only real time can end this."""
    done: list[int] = []

    def set_flag() -> None:
        time.sleep(0.3)
        done.append(1)

    threading.Thread(target=set_flag).start()
    start = time.monotonic()
    while not done:
        pass
    return {"wait": time.monotonic() - start}


def many_short() -> dict[str, object]:
    start, turns = time.monotonic(), 0
    while time.monotonic() - start < 0.5:
        time.sleep(0.001)
        turns += 1
    return {"turns": turns}


def event_loop() -> dict[str, object]:
    fired: list[tuple[float, float]] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        start = loop.time()

        def fire(delay: float) -> None:
            burn(0.005)
            fired.append((delay, loop.time() - start))

        for delay in (1.003, 1.0, 1.0005, 2.0):
            loop.call_later(delay, fire, delay)
        try:
            await asyncio.wait_for(asyncio.sleep(50), 3)
        except TimeoutError:
            fired.append((3.0, loop.time() - start))

    asyncio.run(main())
    return {"fired": fired}


def increasing() -> dict[str, object]:
    """Readings in three threads, ordered by a lock: each has to be later than the one before."""
    wrong, last, lock = 0, 0, threading.Lock()
    stop = time.process_time() + 0.3

    def read(*, pause: bool) -> None:
        nonlocal wrong, last
        while time.process_time() < stop:
            for _ in range(200):
                with lock:
                    now = time.monotonic_ns()
                    wrong += now <= last
                    last = now
            if pause:
                time.sleep(0.01)

    readers = [threading.Thread(target=read, kwargs={"pause": pause}) for pause in (False, True, False)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    return {"wrong": wrong}


def writes_much() -> dict[str, object]:
    """More than a pipe takes at once, to a reader that does not take part, with a limit of a minute."""
    lines = (json.dumps("x" * 1000) + "\n").encode() * 2000
    thread = threading.Thread(target=lambda: os.write(1, lines))
    thread.start()
    return {"write": took(lambda: thread.join(60))}


def exec_from_thread() -> dict[str, object]:
    """Main waits, published; another thread replaces the process by a static program that sleeps 0.4 s."""
    if (pid := os.fork()) == 0:
        threading.Timer(5, lambda: os.execv(sys.argv[2], [sys.argv[2]])).start()
        time.sleep(30)
        os._exit(1)
    start = time.monotonic()
    _pid, status = os.waitpid(pid, 0)
    return {"status": status, "wait": time.monotonic() - start}


def execs_from_threads() -> dict[str, object]:
    """Of a process whose first thread had slept as often as the one that takes its place, too."""
    wrong = []
    for sleeps in list(range(12)) * 4:
        start = time.monotonic()
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run([sys.argv[2], str(sleeps)], timeout=20, check=True, stdout=subprocess.PIPE)
        wait = time.monotonic() - start
        if abs(wait - 1.56 - 0.003 * sleeps) > 0.005:
            wrong.append(wait)
    return {"wrong": wrong}


def fork_without_libc() -> dict[str, object]:
    """clone itself, so that no fork handler of the shim runs."""
    sigchld, clone = 17, 56 if os.uname().machine == "x86_64" else 220
    start = time.monotonic()
    if (pid := raw_call(clone, sigchld, 0, 0, 0, 0)) == 0:
        time.sleep(45)
        os._exit(0)
    os.waitpid(pid, 0)
    return {"wait": time.monotonic() - start}


if __name__ == "__main__":
    measured = globals()[sys.argv[1]]()
    print(json.dumps(measured), flush=True)
    os._exit(0)
