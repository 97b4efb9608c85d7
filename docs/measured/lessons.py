#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Grades every file of every lesson on the GPU and on the embedded device and prints a Markdown
table of verdicts and counters: what docs/measured/*-lessons.md holds. Run it in the tree's root on
a machine with an NVIDIA GPU, after `sh setup.sh`:

    python3 docs/measured/lessons.py > table.md

Exit code 1 if a verdict, a reason or a branch, warp or thread counter differs between the devices.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

COUNTERS = {
    "branch_targets_uniform": "uniform",
    "branch_targets_divergent": "divergent",
    "inst_executed": "warp inst",
    "thread_inst_executed": "thread inst",
    "thread_inst_executed_pred_on": "predicated-on",
}


def grade(lesson, attempt, device):
    """The report of one check, as a dictionary."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        subprocess.run(["./warpbook", "check", lesson, "--attempt", attempt, "--device", device,
                        "--json", report], stdout=subprocess.DEVNULL, check=False)
        with open(report, encoding="utf-8") as file:
            return json.load(file)


def failed(report):
    """The first criterion that failed, or an empty string."""
    names = [c["id"] for c in report["criteria"] if c["verdict"] in ("failed", "error")]
    return names[0] if names else ""


def verdict(report):
    parts = [report["verdict"], failed(report)]
    parts += [report["reason"]] if report["reason"] != "none" else []
    return " ".join(part for part in parts if part)


def launches(report):
    return {launch["kernel"]: launch["counters"]
            for launch in report["counters"]["attempt"]["launches"]} \
        if report["counters"].get("attempt") else {}


def efficiency(counters):
    branches = counters["branch_targets_uniform"] + counters["branch_targets_divergent"]
    return "no branch" if not branches else \
        f"{100 * counters['branch_targets_uniform'] / branches:.2f} %"


def lanes(counters):
    return f"{counters['thread_inst_executed_pred_on'] / counters['inst_executed']:.1f}"


def row(name, kernel, gpu, sim):
    """One line of the table; the second value is False if the devices differ. The embedded device
    stops at a fault that a GPU lets pass, and has no counters then: nothing to compare."""
    if not gpu or not sim:
        return [name, kernel] + ["–"] * (len(COUNTERS) + 2), True
    cells = [f"{gpu[key]}" if gpu[key] == sim[key] else f"**{gpu[key]} / {sim[key]}**"
             for key in COUNTERS]
    return [name, kernel] + cells + [efficiency(gpu), lanes(gpu)], \
        all(gpu[key] == sim[key] for key in COUNTERS)


def main():
    same = True
    print("A cell holds the number of both devices; where they differ, `GPU / embedded` in bold. A",
          "dash:\nthe attempt does not compile or launch, or does not run to its end on one of them.\n")
    for folder in sorted(glob.glob("lessons/[0-9]*")):
        lesson = os.path.basename(folder)
        files = [f"{folder}/reference.cu", f"{folder}/exercise.cu",
                 f"solutions/{lesson}/solution.cu"]
        files += sorted(glob.glob(f"solutions/{lesson}/wrong/*.cu"))
        print(f"## {lesson}\n")
        print("| file | kernel | " + " | ".join(COUNTERS.values()) +
              " | branch efficiency | lanes | verdict |")
        print("|---|---|" + "---:|" * (len(COUNTERS) + 2) + "---|")
        for path in files:
            gpu, sim = grade(lesson, path, "gpu"), grade(lesson, path, "sim")
            verdicts = verdict(gpu)
            if verdicts != verdict(sim):
                verdicts, same = f"**{verdicts} / {verdict(sim)}**", False
            kernels = sorted(set(launches(gpu)) | set(launches(sim))) or ["–"]
            for kernel in kernels:
                cells, equal = row(os.path.basename(path), kernel, launches(gpu).get(kernel),
                                   launches(sim).get(kernel))
                same = same and equal
                print("| " + " | ".join(cells + [verdicts]) + " |", flush=True)
        print()
    print("All verdicts and counters are equal." if same else "**Something differs.**")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
