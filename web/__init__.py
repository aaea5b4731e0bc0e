"""The page, as `kingmaker.web`: the HTTP port serves it."""
