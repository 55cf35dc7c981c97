"""The page without a server: games as WebAssembly, and static files that play, advise and simulate in a browser."""
