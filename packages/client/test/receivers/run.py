"""Runs an example over the cases on stdin and says of each whether it was believed."""
import base64
import importlib.util
import json
import sys

spec = importlib.util.spec_from_file_location("example", sys.argv[1])
example = importlib.util.module_from_spec(spec)
spec.loader.exec_module(example)
told = []
for case in json.load(sys.stdin):
    try:
        told.append(example.verify(case["headers"], base64.b64decode(case["body"]), case["secret"])["id"])
    except Exception:
        told.append(None)
print(json.dumps(told))
