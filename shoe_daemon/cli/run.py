"""`shoe-daemon run`: the daemon of one table."""

import argparse
import asyncio
import sys
from pathlib import Path

from shoe_daemon.runtime import logs
from shoe_daemon.runtime.config import load_config
from shoe_daemon.runtime.daemon import serve
from shoe_daemon.runtime.host.finding import this_host
from shoe_daemon.runtime.rows import JournalError
from shoe_daemon.schema import ConfigError


def run(arguments: list[str]) -> int:
    """Run until SIGTERM; 2 where the configuration is wrong, 1 where the journal cannot be used."""
    parser = argparse.ArgumentParser("shoe-daemon run", description="The daemon of one table.")
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="configuration (TOML)")
    options = parser.parse_args(arguments)
    logs.configure()
    try:
        asyncio.run(serve(load_config(options.config, this_host())))
    except ConfigError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except JournalError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0
