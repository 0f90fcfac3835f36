"""timed.py FILE COMMAND…: runs it, and writes what it and its children took: CPU seconds, KiB of the largest."""
import json
import resource
import subprocess
import sys

code = subprocess.call(sys.argv[2:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w", encoding="utf-8") as out:
    json.dump({"cpu": used.ru_utime + used.ru_stime, "rss": used.ru_maxrss}, out)
sys.exit(code if code >= 0 else 128 - code)
