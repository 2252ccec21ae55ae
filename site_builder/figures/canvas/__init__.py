"""Means of drawing for every kind: the canvas, shapes, measured text, scales, axes and labels.

Lives here: a matplotlib figure as a canvas in CSS pixels, and what is placed on it. Only `canvas` imports matplotlib.
May import: modules of figures, contract, errors, values, markup.
Must not know: which kinds of figures there are.
"""
