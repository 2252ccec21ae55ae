"""The built site -> a branch, another machine or a folder: what was verified, over what publishing wrote."""
