#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""report-schema.py DOCS RENDER CHECK TREE: validates reports against docs/report-schema.json.

The reports are those of every tree of report_render and, where there is an nvcc, one of a real
check. The schema must also refuse reports that are wrong in one place. Speaks TAP.
"""
import copy
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import jsonschema


def load_validator(docs):
    """One schema of the two files, so that every version of jsonschema resolves its references."""
    report = (docs / "report-schema.json").read_text()
    counters = (docs / "counters-schema.json").read_text()
    for text in (report, counters):
        jsonschema.Draft202012Validator.check_schema(json.loads(text))
    report = report.replace('"counters-schema.json#/', '"#/$defs/counters/')
    report = json.loads(report.replace('"$ref": "counters-schema.json"', '"$ref": "#/$defs/counters"'))
    counters = json.loads(counters.replace('"#/$defs/', '"#/$defs/counters/$defs/'))
    del counters["$id"], counters["$schema"]
    report["$defs"]["counters"] = counters
    return jsonschema.Draft202012Validator(report)


def rendered(render):
    """Name and report of each tree."""
    names = subprocess.run([render], check=True, capture_output=True, text=True).stdout.split()
    for name in names:
        output = subprocess.run([render, name, "json"], check=True, capture_output=True).stdout
        yield name, json.loads(output)


def really_checked(check, tree):
    """The report of a check of the small workbook's lesson; None without a compiler."""
    if not os.environ.get("NVCC"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "tree"
        shutil.copytree(tree, root)
        environment = dict(os.environ, WARPBOOK_ROOT=str(root), WARPBOOK_DEVICE="sim")
        environment.pop("WARPBOOK_CACHE", None)
        solution = root / "solutions" / "01-copy" / "solution.cu"
        done = subprocess.run([check, "--attempt", str(solution), "--json", "-"], env=environment,
                              capture_output=True, timeout=200)
    return json.loads(done.stdout)


# Each row: what is wrong, and the change that makes it so.
SPOILERS = [
    ("an unknown field", lambda r: r.update(extra=1)),
    ("a missing field", lambda r: r.pop("seed")),
    ("an unknown verdict", lambda r: r.update(verdict="perhaps")),
    ("an unknown reason", lambda r: r.update(reason="bad-luck")),
    ("a negative line", lambda r: r["findings"][0].update(line=-1)),
    ("points as text", lambda r: r["criteria"][0].update(points="40")),
    ("an unknown counter", lambda r: r["counters"]["attempt"]["launches"][0]["counters"].update(x=1)),
    ("a negative counter",
     lambda r: r["counters"]["attempt"]["launches"][0]["counters"].update(inst_executed=-1)),
    ("a grid of two numbers", lambda r: r["counters"]["reference"]["launches"][0]["grid"].pop()),
    ("an unknown way of counting", lambda r: r["device"].update(counters="guessed")),
    ("another schema", lambda r: r.update(schema="warpbook-report/2")),
]


def main():
    docs, render, check, tree = pathlib.Path(sys.argv[1]), *sys.argv[2:5]
    validator = load_validator(docs)
    results = []
    for name, report in rendered(render):
        results.append((f"the report {name} is valid", list(validator.iter_errors(report))))
        if name == "failed":
            sample = report
    real = really_checked(check, tree)
    if real:
        errors = list(validator.iter_errors(real))
        if real["verdict"] != "passed":
            errors.append(f"the verdict is {real['verdict']}: {real['message']}")
        results.append(("the report of a real check is valid", errors))
    for name, spoil in SPOILERS:
        spoiled = copy.deepcopy(sample)
        spoil(spoiled)
        results.append((f"{name} is refused", [] if not validator.is_valid(spoiled) else ["valid"]))
    print(f"1..{len(results)}")
    for number, (name, errors) in enumerate(results, 1):
        print(f"{'not ok' if errors else 'ok'} {number} - {name}")
        for error in errors:
            print(f"# {getattr(error, 'json_path', '')} {getattr(error, 'message', error)}"[:500])


main()
