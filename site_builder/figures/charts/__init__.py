"""One chart for each kind of figure.

Lives here: heatmap, policy map, curve, bars, diagram, and what they share.
May import: figures.canvas and all below figures.
Must not know: pages and posts.
"""
