"""The command line: one module for each command. Heavy imports happen inside the commands."""
