"""Worker processes: started, limited, watched and ended, and what they may read.

Lives here: the pool, the loop of a worker, the audit of its reads, failures.
May import: contract, storage, values.
Must not know: what a task does.
"""
