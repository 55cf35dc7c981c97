"""One module for each page or part of the JSON interface; each has a `router`."""
