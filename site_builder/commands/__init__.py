"""The commands of build.py, a module each, loaded when its command is asked for."""
