"""`python -m shoe_daemon`: the same as the command."""

from shoe_daemon.cli import main

if __name__ == "__main__":
    main()
