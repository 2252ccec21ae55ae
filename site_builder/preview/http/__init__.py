"""The preview over HTTP.

Lives here: the ASGI app, host checks, events to open pages, the server.
May import: preview and below.
Must not know: how a site is built.
"""
