"""What texts write of a result and is slow to make; it is kept for the result, whatever post shows it."""

import json
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class ResultTexts:
    """Filled in while a post is written.

    report: what a bundle must print, None until a post offers one. answers: fields of the result as evidence holds
    them, by name; see `gather_evidence.answer_of`.
    """

    report: str | None = None
    answers: dict[str, Any] = field(default_factory=dict)

    def packed(self) -> bytes:
        """The texts as bytes; the same for equal ones."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True).encode()


def read_result_texts(data: bytes) -> ResultTexts:
    """The texts that were packed. Raises ValueError or TypeError for what another version of the builder wrote."""
    return ResultTexts(**json.loads(data))
