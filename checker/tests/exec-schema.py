#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""exec-schema.py SCHEMA COUNTERS: validates a counters file; says what is wrong and exits 1."""
import json
import pathlib
import sys

import jsonschema

schema, counters = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])
errors = [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(counters)]
print("\n".join(errors[:5]), end="")
sys.exit(bool(errors))
