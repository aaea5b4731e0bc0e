"""The page in a real browser: a package, as its tests share one that ends with them."""
