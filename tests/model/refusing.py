"""A command that is not carried out."""


class Refused(Exception):  # noqa: N818 - what the contracts call it
    """A command is not carried out; its text is the reason."""


def refuse(reason: str, when: object = True) -> None:  # noqa: FBT002 - reads as a sentence
    """Raise Refused with `reason` when `when` is true."""
    if when:
        raise Refused(reason)
