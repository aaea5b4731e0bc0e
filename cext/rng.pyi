"""Random numbers for the kernels; see rng.pxd. Nothing here is for Python."""
