"""Measurements of speed and strength, behind `kingmaker bench`."""
