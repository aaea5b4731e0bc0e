"""Load tests of the service, see `python -m loadtests`."""
