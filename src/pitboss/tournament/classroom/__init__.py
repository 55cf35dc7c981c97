"""A class in a box: a folder for a course, checked, played and graded with one command.

`box` makes the folder and reads its settings, `submissions` finds each student's bot, `outline` and `review` say how it
does and whom it resembles, `run` plays what is missing, and `handout` writes leaderboard, pages and grades.
"""
