"""The games of this package, a folder each, and nothing that one of them needs outside of it."""
