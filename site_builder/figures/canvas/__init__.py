"""What every chart is drawn with: sheet, palette, sizes, text, scales.

Lives here: a matplotlib figure as a canvas in CSS pixels, label placement, SVG output.
May import: contract, errors, values, markup.
Must not know: which kinds of chart there are.
"""
