"""The command `shoe-daemon`. `run` has its own short way in: at the table it loads no more than it needs."""

import io
import sys


def main() -> None:
    """Run the command named on the command line and exit with its code: 0 well, 1 not well, 2 usage."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a locale that cannot say a letter breaks nothing
    if sys.argv[1:2] == ["run"]:
        sys.modules["rich"] = None  # type: ignore[assignment]  # structlog loads it wherever it is installed
        from shoe_daemon.cli.run import run  # noqa: PLC0415 - keeps typer and rich out of the daemon

        sys.exit(run(sys.argv[2:]))
    from shoe_daemon.cli.app import app  # noqa: PLC0415 - keeps typer and rich out of the daemon

    app()
