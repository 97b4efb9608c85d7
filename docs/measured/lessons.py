#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Grades the files of every lesson on the GPU and on the embedded device: what docs/measured holds
about lessons. Run it in the tree's root, after `sh setup.sh`:

    python3 docs/measured/lessons.py PAGE.md [--seconds S] [--jobs N] [--only gpu|sim] [LESSON...]

Every result is a line of PAGE.jsonl as soon as it is known; a second run goes on where the first
one ended, and grades again what has changed since. The embedded device works in many processes, and
so warms the compile cache; the GPU takes one file after the other, references and solutions first.
After each lesson PAGE.md is written anew: one table of references and solutions, and what differs.

Exit code 1 if a file did not get what it must get, or if a verdict or a counter differs between the
devices; 3 if something could not be graded (the rest is there all the same).
"""
import argparse
import concurrent.futures
import glob
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time

COUNTERS = {
    "branch_targets_uniform": "uniform",
    "branch_targets_divergent": "divergent",
    "inst_executed": "warp inst",
    "thread_inst_executed": "thread inst",
    "thread_inst_executed_pred_on": "predicated-on",
    "global_sectors": "global sectors",
    "global_sectors_ideal": "ideal",
    "shared_wavefronts": "shared wavefronts",
    "shared_wavefronts_ideal": "ideal",
    "local_sectors": "local sectors",
}
DEVICES = ("gpu", "sim")
WARPBOOK = os.environ.get("WARPBOOK", "./warpbook")
WORST_SECONDS = 120  # of one check; it limits itself to less


# ---- grading ---------------------------------------------------------------------------------

def files_of(lesson):
    """What is graded of a lesson, the most important first."""
    return [f"lessons/{lesson}/reference.cu", f"solutions/{lesson}/solution.cu",
            f"lessons/{lesson}/exercise.cu"] + sorted(glob.glob(f"solutions/{lesson}/wrong/*.cu"))


def state_of(lesson, path):
    """A hash of all that decides the result, but for Warpbook itself."""
    digest = hashlib.sha256()
    for name in (path, f"lessons/{lesson}/reference.cu", f"lessons/{lesson}/check.c"):
        with open(name, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()[:16]


def summary(report):
    """What is kept of a report."""
    bad = [c for c in report["criteria"] if c["verdict"] in ("failed", "error")]
    attempt = (report.get("counters") or {}).get("attempt") or {"launches": []}
    return {
        "device": report["device"]["name"],
        "verdict": report["verdict"],
        "reason": report["reason"],
        "message": report.get("message"),
        "points": report["points"],
        "failed": {c["id"]: c.get("reason", "") for c in bad},
        "kernels": {launch["kernel"]: launch["counters"] for launch in attempt["launches"]},
    }


def grade(lesson, path, device):
    """One line of the results. Never fails: trouble is the verdict."""
    begun = time.monotonic()
    line = {"lesson": lesson, "file": path, "on": device, "state": state_of(lesson, path)}
    try:
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "report.json")
            ran = subprocess.run([WARPBOOK, "check", lesson, "--attempt", path, "--device",
                                  device, "--json", out], stdin=subprocess.DEVNULL,
                                 capture_output=True, timeout=WORST_SECONDS, check=False)
            if not os.path.exists(out):
                raise OSError(ran.stderr.decode(errors="replace").strip() or "no report")
            with open(out, encoding="utf-8") as file:
                line.update(summary(json.load(file)))
    except (OSError, ValueError, KeyError, TypeError, subprocess.TimeoutExpired) as error:
        line.update(verdict="trouble", reason=type(error).__name__, message=str(error), failed={},
                    kernels={}, device=device, points=0)
    line["seconds"] = round(time.monotonic() - begun, 2)
    return line


# ---- results so far --------------------------------------------------------------------------

class Results:
    """The lines by (file, device), and the file that each new one is added to."""

    def __init__(self, path):
        self.path, self.lines = path, {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for text in file:
                    try:
                        line = json.loads(text)
                    except ValueError:
                        continue  # cut off when the run was ended
                    self.lines[line["file"], line["on"]] = line

    def get(self, path, device):
        return self.lines.get((path, device))

    def is_known(self, lesson, path, device):
        line = self.get(path, device)
        return line and line["verdict"] not in ("trouble", "error") and line["state"] == state_of(lesson, path)

    def add(self, line):
        self.lines[line["file"], line["on"]] = line
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line, sort_keys=True) + "\n")


# ---- what a file must get --------------------------------------------------------------------

def expected(path, device):
    """(verdict, criterion, reason), or None: `// expect: failed CRITERION REASON [ON-A-GPU]`."""
    with open(path, encoding="utf-8") as file:
        words = file.readline().split()
    if words[:2] == ["//", "expect:"]:
        verdict, rest = words[2], words[3:]
        criterion = rest.pop(0) if verdict == "failed" and rest else None
        reason = (rest[-1] if device == "gpu" else rest[0]) if rest else "none"
        return verdict, criterion, reason
    name = os.path.basename(path)
    return {"solution.cu": ("passed", None, "none"),
            "exercise.cu": ("failed", None, None)}.get(name)


def is_as_stated(line):
    want = expected(line["file"], line["on"])
    if line["verdict"] in ("trouble", "error") and (not want or want[0] != "error"):
        return False
    if not want or line["verdict"] == "skipped":
        return True
    verdict, criterion, reason = want
    if criterion:
        return line["failed"].get(criterion) == reason
    return line["verdict"] == verdict and reason in (None, line["reason"])


# ---- the page --------------------------------------------------------------------------------

def verdict(line):
    failed = " ".join(f"{name} ({reason})" for name, reason in line["failed"].items())
    return f"{line['verdict']} {failed}".strip()


def cell(gpu, sim, key):
    values = [side.get(key) for side in (gpu, sim) if side and key in side]
    if not values:
        return "–"
    both = len(values) == 2
    return f"{values[0]}" if not both or values[0] == values[1] else \
        f"**{values[0]} / {values[1]}**"


def efficiency(counters):
    uniform = counters.get("branch_targets_uniform", 0)
    branches = uniform + counters.get("branch_targets_divergent", 0)
    return f"{100 * uniform / branches:.2f} %" if branches else "no branch"


def lanes(counters):
    warps = counters.get("inst_executed")
    return f"{counters['thread_inst_executed_pred_on'] / warps:.1f}" if warps else "–"


def table(results, lessons):
    yield ("| lesson | file | kernel | " + " | ".join(COUNTERS.values()) +
           " | branch efficiency | lanes | verdict |")
    yield "|---|---|---|" + "---:|" * (len(COUNTERS) + 2) + "---|"
    for lesson in lessons:
        for path in files_of(lesson)[:2]:
            lines = [results.get(path, device) for device in DEVICES]
            kernels = sorted({name for line in lines if line for name in line["kernels"]})
            said = sorted({verdict(line) for line in lines if line})
            for kernel in kernels or ["–"]:
                gpu, sim = [line["kernels"].get(kernel) if line else None for line in lines]
                seen = gpu or sim or {}
                cells = [lesson, os.path.basename(path), kernel]
                cells += [cell(gpu, sim, key) for key in COUNTERS]
                cells += [efficiency(seen), lanes(seen)] if seen else ["–", "–"]
                yield "| " + " | ".join(cells + [" / ".join(said) or "not graded"]) + " |"


def counter_differences(gpu, sim):
    """Of the kernels that both devices measured: a fault may end one of them earlier."""
    for kernel in sorted(set(gpu["kernels"]) & set(sim["kernels"])):
        left, right = gpu["kernels"][kernel], sim["kernels"][kernel]
        for key in sorted(set(left) & set(right)):
            if left[key] != right[key]:
                yield f"{kernel}: {key} {left[key]} / {right[key]}"


def differences(results, lessons):
    """Sentences about every file of which something is not alike or not as stated."""
    for lesson in lessons:
        for path in files_of(lesson):
            gpu, sim = [results.get(path, device) for device in DEVICES]
            for line in (gpu, sim):
                if line and not is_as_stated(line):
                    yield (f"- `{path}` on {line['on']}: **not as stated**: {verdict(line)}"
                           f" {line.get('message') or ''}".rstrip())
            if gpu and sim and not {gpu["verdict"], sim["verdict"]} & {"trouble", "error"}:
                found = list(counter_differences(gpu, sim))
                if verdict(gpu) != verdict(sim):
                    stated = is_as_stated(gpu) and is_as_stated(sim)
                    found.insert(0, f"verdict {verdict(gpu)} / {verdict(sim)}"
                                 f"{' (both as stated)' if stated else ''}")
                if found:
                    yield f"- `{path}`: " + "; ".join(found)


def page(results, lessons):
    names = sorted({line["device"] for line in results.lines.values()
                    if line["verdict"] != "trouble"})
    paths = [path for lesson in lessons for path in files_of(lesson)]
    yield "# Lessons on both devices\n"
    yield f"Devices: {', '.join(names) or 'none'}."
    for device in DEVICES:
        graded = [results.get(path, device) for path in paths if results.get(path, device)]
        yield (f"{device}: {len(graded)} of {len(paths)} files graded, "
               f"{sum(map(is_as_stated, graded))} as stated, "
               f"{sum(line['seconds'] for line in graded):.0f} s.")
    yield "\n## References and solutions\n"
    yield ("A cell holds the number of both devices; where they differ, `GPU / embedded` in bold. "
           "A dash: not counted.\n")
    yield from table(results, lessons)
    yield "\n## What differs\n"
    yield from list(differences(results, lessons)) or ["Nothing."]


def write_page(path, results, lessons):
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in page(results, lessons))
    os.replace(path + ".part", path)


# ---- the run ---------------------------------------------------------------------------------

def in_order(lessons):
    """Every (lesson, file): first references and solutions, then the rest, lesson by lesson."""
    for part in (slice(0, 2), slice(2, None)):
        for lesson in lessons:
            for path in files_of(lesson)[part]:
                yield lesson, path


def run(options, results, lessons):
    """False if the time was over first."""
    end = time.monotonic() + options.seconds
    work = [(lesson, path) for lesson, path in in_order(lessons) if os.path.exists(path)]
    devices = [options.only] if options.only else DEVICES

    def on_sim(lesson, path):
        return None if time.monotonic() > end else grade(lesson, path, "sim")

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = {path: pool.submit(on_sim, lesson, path) for lesson, path in work
                   if "sim" in devices and not results.is_known(lesson, path, "sim")}
        before = None
        for lesson, path in work:
            line = waiting[path].result() if path in waiting else None
            if line:
                results.add(line)
            if "gpu" in devices and not results.is_known(lesson, path, "gpu"):
                if time.monotonic() > end:
                    continue  # what the embedded device did is still gathered
                results.add(grade(lesson, path, "gpu"))
            if before != lesson:
                print(f"{max(0, end - time.monotonic()):4.0f} s left: {lesson}", flush=True)
                write_page(options.page, results, lessons)
            before = lesson
    write_page(options.page, results, lessons)
    return all(results.get(path, device) for _, path in work for device in devices)


def main():
    parser = argparse.ArgumentParser(description="Grades all lessons on both devices.")
    parser.add_argument("page")
    parser.add_argument("lessons", nargs="*", help="names like 07-warp-aligned-branch")
    parser.add_argument("--seconds", type=float, default=3600, help="begin nothing after so many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1,
                        help="files at a time on the embedded device")
    parser.add_argument("--only", choices=DEVICES)
    options = parser.parse_intermixed_args()
    lessons = options.lessons or sorted(os.path.basename(os.path.dirname(name)) for name in
                                        glob.glob("lessons/[0-9]*/check.c"))
    results = Results(os.path.splitext(options.page)[0] + ".jsonl")
    complete = run(options, results, lessons)
    found = list(differences(results, lessons))
    print("\n".join(found) or "Nothing differs.")
    if not complete or any(line["verdict"] == "trouble" for line in results.lines.values()):
        print("Not everything could be graded.")
        return 3
    return 1 if any("as stated)" not in line for line in found) else 0


if __name__ == "__main__":
    sys.exit(main())
