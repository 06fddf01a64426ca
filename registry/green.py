"""What `green register` puts into evaluate's cache; `green unregister` removes it."""

try:
    from green_gec.green import Green
except ModuleNotFoundError as error:
    if error.name != "green_gec":
        raise
    raise ImportError(
        "evaluate.load('green') is registered for the package green-gec, which this environment "
        "does not have: pip install green-gec; or run `green unregister` in an environment that "
        f"has it; or remove the folder of {__file__}"
    ) from None
