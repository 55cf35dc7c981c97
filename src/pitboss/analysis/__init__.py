"""Exact answers, and what is made of them.

`flip7` and `trees` find them, `bots` play by them. What people ask is up here: `answer` (`pitboss solve`), `advice` and
`live` (a real table), `opinion` (one decision of any game), `regret` and `optimum` (how well bots do), `chart`.
"""
