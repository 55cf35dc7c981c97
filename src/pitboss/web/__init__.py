"""The card room in the browser: play, watch, replay.

`create_app` makes the server. A page is one router of `routes/`, one template, one stylesheet if it needs its own,
and one ES module of `static/`; all of them talk to the JSON interface under `/api`. Running games live in `room/`.
Nothing in here knows a game.
"""
