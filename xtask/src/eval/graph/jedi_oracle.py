"""Asks Jedi where names are defined: one JSON list of places on stdin, one of answers on stdout."""
import json
import os
import sys

import jedi

root, sites = os.path.realpath(sys.argv[1]), json.load(sys.stdin)
project = jedi.Project(root, sys_path=[root] + sys.path, smart_sys_path=False)
scripts, answers = {}, []
for site in sites:
    path = os.path.join(root, site["file"])
    if path not in scripts:
        scripts = {path: jedi.Script(path=path, project=project)}
    found = []
    try:
        for name in scripts[path].goto(site["line"], site["column"], follow_imports=True):
            where = os.path.realpath(str(name.module_path)) if name.module_path else ""
            inside = where.startswith(root + os.sep)
            found.append({
                "file": os.path.relpath(where, root) if inside else None,
                "line": 0 if name.type == "module" else name.line or 0,
                "kind": name.type,
            })
    except Exception as error:  # Jedi fails on some texts; what it does not know is not counted.
        print(f"{site['file']}:{site['line']}: {error!r}", file=sys.stderr)
    answers.append(found)
json.dump(answers, sys.stdout)
