"""The referee: bots from strangers, each shut in a process of its own.

`seats` is what the rest of pitboss uses. Below it, from the table down to the kernel: `guests` and
`jsonlines` (a seat whose bot is elsewhere), `process`, `keeper` and `warm` (looking after processes), `wire`
(what is said), `host` and `child` (the other side), `sandbox`, `landlock`, `seccomp` (shutting in),
and `doctor`, who tries whether all that holds.
"""
