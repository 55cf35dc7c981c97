"""The referee: seats untrusted bots, asks them for moves, and rules a fault when one cannot play.

`seats` is what the rest of pitboss uses. Below it are `guests`, a seat whose bot is elsewhere, and `jsonlines`, one
whose bot is a program in another language. How such bots are kept from doing harm is the business of `pitboss.sandbox`.
"""
