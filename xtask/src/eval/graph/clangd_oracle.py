"""Asks clangd where names are defined: one JSON list of places on stdin, one of answers on stdout."""
import json
import os
import subprocess
import sys
import time
from urllib.parse import quote, unquote

root, work, question = os.path.realpath(sys.argv[1]), sys.argv[2], json.load(sys.stdin)
sources = [path for path in question["files"] if path.endswith(".c")]
folders = sorted({os.path.join(root, os.path.dirname(path)) for path in question["files"]})
os.makedirs(work, exist_ok=True)
flags = [flag for folder in folders for flag in ("-I", folder)]
commands = [
    {"directory": root, "file": os.path.join(root, path), "arguments": ["cc", *flags, "-c", os.path.join(root, path)]}
    for path in sources
]
with open(os.path.join(work, "compile_commands.json"), "w") as file:
    json.dump(commands, file)
server = subprocess.Popen(
    [os.path.join(os.path.dirname(sys.executable), "clangd"), f"--compile-commands-dir={work}", "--background-index",
     "--limit-results=0", "--log=error"],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
number, indexing, done = 0, set(), 0


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def receive():
    global done
    length = 0
    while True:
        line = server.stdout.readline().strip()
        if not line:
            break
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    message = json.loads(server.stdout.read(length))
    if "method" in message and "id" in message:
        send({"id": message["id"], "result": None})
    if message.get("method") == "$/progress":
        kind = message["params"]["value"]["kind"]
        if kind == "begin":
            indexing.add(message["params"]["token"])
        elif kind == "end":
            indexing.discard(message["params"]["token"])
            done += 1
    return message


def ask(method, params):
    global number
    number += 1
    send({"id": number, "method": method, "params": params})
    while True:
        message = receive()
        if message.get("id") == number and "method" not in message:
            return message.get("result")


def uri(path):
    return "file://" + quote(os.path.join(root, path))


ask("initialize", {"processId": None, "rootUri": "file://" + quote(root),
                   "capabilities": {"window": {"workDoneProgress": True}}})
send({"method": "initialized", "params": {}})
for path in question["files"]:
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        text = file.read()
    send({"method": "textDocument/didOpen",
          "params": {"textDocument": {"uri": uri(path), "languageId": "c", "version": 1, "text": text}}})
started = time.time()
while (done == 0 or indexing) and time.time() - started < 300:
    receive()
    if done and not indexing:
        break
answers = []
for site in question["sites"]:
    found = ask("textDocument/definition", {
        "textDocument": {"uri": uri(site["file"])},
        "position": {"line": site["line"] - 1, "character": site["utf16"]}}) or []
    answer = []
    for one in found:
        path = os.path.realpath(unquote(one["uri"][len("file://"):]))
        inside = path.startswith(root + os.sep)
        answer.append({"file": os.path.relpath(path, root) if inside else None,
                       "line": one["range"]["start"]["line"] + 1, "kind": "definition"})
    answers.append(answer)
json.dump(answers, sys.stdout)
sys.stdout.flush()
server.kill()
