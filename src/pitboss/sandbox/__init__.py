"""The sandbox: untrusted programs, each in processes that may do nothing but what is named.

From the inside out: `calls` (which system calls), `landlock` (which files), `namespaces` (what there is to see),
`readable` (what of Python is shown), `confine` (all of these in the right order); `zygote`, the process that makes
sandboxed ones, and `inside`, what these run; `wire`, what is said; and `supervisor`,
`template` and `process`, the side that trusts nobody.
`doctor` tries whether all that holds. Nothing in here knows a tournament.
"""
