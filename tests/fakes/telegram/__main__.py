"""Run this Telegram as a process."""

import argparse

from .server import serve

parser = argparse.ArgumentParser()
parser.add_argument("--port", type=int, required=True)
parser.add_argument("--token", required=True)
options = parser.parse_args()
serve(options.token, options.port)
