"""The Python SDK as a client: every tool of the short list, resources, prompts, progress, errors, in two revisions."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

transport, binary, project, url = sys.argv[1:5]


async def converse(read, write):
    async with ClientSession(read, write) as session:
        hello = await session.initialize()
        assert hello.server_info.name == "gik", hello
        tools = (await session.list_tools()).tools
        names = [tool.name for tool in tools]
        assert names[:2] == ["search", "ask"], names
        calls = {
            "search": {"query": "greeting"},
            "ask": {"question": "how are people greeted"},
            "read_file": {"path": "src/main.rs", "start_line": 1, "end_line": 3},
            "symbols": {"name": "greet"},
            "def": {"symbol": "greeting"},
            "refs": {"symbol": "greeting"},
            "outline": {"files": ["src/main.rs"]},
            "remember": {"text": "We greet politely.", "title": "Politeness"},
            "recall": {"query": "politely"},
            "status": {},
        }
        for name, arguments in calls.items():
            # The client checks structured content against the output schema by itself.
            result = await session.call_tool(name, arguments)
            assert not result.is_error, (name, result)
            assert result.content[0].text and result.structured_content, name
        wrong = await session.call_tool("search", {"nothing": 1})
        assert wrong.is_error and wrong.structured_content["error"]["code"] == "argument-invalid", wrong
        listed = (await session.list_resources()).resources
        status = await session.read_resource("gik://status")
        assert json.loads(status.contents[0].text)["branch"] == "main", (listed, status)
        file = await session.read_resource("gik://file/README.md")
        assert file.contents[0].text.startswith("# Greeter"), file
        prompts = (await session.list_prompts()).prompts
        assert len(prompts) >= 4, prompts
        prompt = await session.get_prompt("explain", {"subject": "greeting"})
        assert "greeting" in prompt.messages[0].content.text, prompt
        many = await asyncio.gather(*[session.call_tool("search", {"query": "greeting"}) for _ in range(20)])
        assert all(not result.is_error for result in many)


async def main():
    if transport == "stdio":
        server = StdioServerParameters(command=binary, args=["mcp", "--root", project], env={"GIK_NO_DAEMON": "1"})
        async with stdio_client(server) as (read, write):
            await converse(read, write)
    else:
        async with streamable_http_client(url) as streams:
            await converse(streams[0], streams[1])


asyncio.run(main())
