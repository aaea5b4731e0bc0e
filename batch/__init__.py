"""Many analyses and reviews at once, on any number of processes and machines."""
