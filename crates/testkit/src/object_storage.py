# A server of object storage on this machine, with one bucket, until standard input ends.
import sys

import boto3
from moto.server import ThreadedMotoServer

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
endpoint = f"http://{host}:{port}"
client = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1",
                      aws_access_key_id="test", aws_secret_access_key="test")
client.create_bucket(Bucket=sys.argv[1])
print(endpoint, flush=True)
sys.stdin.read()
