"""Means of drawing for every chart: the canvas, colours, text and its fonts, label placement, SVG output.

Lives here: a matplotlib figure as a canvas in CSS pixels, and what is measured on it.
May import: contract, errors, values, markup.
Must not know: which kinds of chart there are.
"""
