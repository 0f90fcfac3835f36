#!/usr/bin/env python3
"""measure.py SECONDS COMMAND...: runs a command and prints what it took on descriptor 3.

The line is JSON: exit code (null when the time was up or a signal ended it), wall seconds,
CPU seconds (user + system) and peak memory in KiB. wait4 is what node cannot do: its figures
hold every descendant that was waited for, so the workers of a package manager count as well.
Peak memory is that of the largest single process.
"""
import json
import os
import signal
import sys
import time

limit, command = int(sys.argv[1]), sys.argv[2:]
os.set_inheritable(3, False)
start = time.monotonic()
child = os.fork()
if child == 0:
    os.setpgid(0, 0)  # one group, so that nothing outlives the limit
    os.execvp(command[0], command)
late = []


def stop(*_):
    late.append(True)
    os.killpg(child, signal.SIGKILL)


signal.signal(signal.SIGALRM, stop)
signal.signal(signal.SIGTERM, stop)
signal.alarm(limit)
_, status, usage = os.wait4(child, 0)
signal.alarm(0)
os.write(3, json.dumps({
    "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
    "late": bool(late),
    "wall": time.monotonic() - start,
    "cpu": usage.ru_utime + usage.ru_stime,
    "rss": usage.ru_maxrss,
}).encode())
