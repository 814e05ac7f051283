"""The learning rate."""

import math


def rate(step: int, steps: int, warm_up: int, decay: float, floor: float) -> float:
    """Share of the peak learning rate at a step of `steps`: rising over `warm_up` steps, then
    level, then falling like a cosine to `floor` over the last `decay` share of all steps.

    A level part lets a run be resumed with more steps than it was begun with (Hu et al. 2024,
    MiniCPM); with a decay of 1 it is a plain cosine.
    """
    if step < warm_up:
        return (step + 1) / warm_up
    falling = max(1.0, min(decay * steps, steps - warm_up))
    progress = min(1.0, max(0.0, (step - (steps - falling)) / falling))
    return floor + (1 - floor) * (1 + math.cos(math.pi * progress)) / 2
