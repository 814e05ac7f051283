"""The log of a training run: a table and a picture of it."""

import csv
import io
from pathlib import Path

from .files import replace

COLUMNS = (
    "step", "positions", "rate", "loss", "policy", "value", "gradient",
    "validation_policy", "validation_value", "top1",
)


class Log:
    """Rows in `log.csv`, drawn in `log.png`."""

    def __init__(self, folder: Path):
        self.path = folder / "log.csv"
        self.picture = folder / "log.png"

    def truncate(self, step: int) -> None:
        """Forgets rows after this step, of a run that was cut off."""
        rows = [row for row in self.rows() if int(row["step"]) <= step]
        table = io.StringIO(newline="")
        writer = csv.DictWriter(table, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
        replace(self.path, lambda file: file.write(table.getvalue().encode()))

    def rows(self) -> list[dict[str, str]]:
        if not self.path.exists():
            return []
        with self.path.open(newline="") as file:
            return list(csv.DictReader(file))

    def add(self, **values: float) -> None:
        """Adds a row; numbers are written with six digits."""
        with self.path.open("a", newline="") as file:
            row = {
                key: value if isinstance(value, int) else f"{value:.6g}"
                for key, value in values.items()
            }
            csv.DictWriter(file, COLUMNS).writerow(row)

    def draw(self) -> None:
        """Draws the losses over the positions."""
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        rows = self.rows()
        figure, (policy, value) = pyplot.subplots(1, 2, figsize=(12, 4.5))
        for axes, name in ((policy, "policy"), (value, "value")):
            for column, label in ((name, "training"), (f"validation_{name}", "held out")):
                points = [(int(row["positions"]), float(row[column])) for row in rows if row[column]]
                axes.plot(*zip(*points) if points else ([], []), label=label)
            axes.set_xlabel("positions")
            axes.set_title(f"{name} loss")
            axes.legend()
            axes.grid(alpha=0.3)
        figure.tight_layout()
        figure.savefig(self.picture, dpi=100)
        pyplot.close(figure)
