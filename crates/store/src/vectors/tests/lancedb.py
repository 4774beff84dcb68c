# What the package `lancedb` of PyPI sees of a table.
import json
import sys

import lancedb

asked = json.loads(sys.argv[1])
database = lancedb.connect(asked["uri"], storage_options=asked["options"])
table = database.open_table("vectors")
rows = table.to_arrow().select(["id", "path", "base", "payload"]).to_pylist()
near = table.search(asked["vector"]).distance_type("cosine").limit(10).to_list()
below = table.search().where("base = 'code' AND source_type = 'file' AND path LIKE 'src/%'").limit(100000).to_list()
print(json.dumps({
    "schema": [[field.name, str(field.type), field.nullable] for field in table.schema],
    "rows": sorted(row["id"] for row in rows),
    "payload": json.loads(rows[0]["payload"]) if rows else None,
    "near": [row["id"] for row in near],
    "below": len(below),
    "versions": len(table.list_versions()),
    "indices": [[index.index_type, index.columns] for index in table.list_indices()],
}))
