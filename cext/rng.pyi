"""Random numbers for the kernels; see rng.pxd. It has no Python interface."""
