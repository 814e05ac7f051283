"""Trains the move transformer: `python3 -m kaiyo_policy.train --out FOLDER GAMES...`.

GAMES are folders that `kaiyo-train data sequences` wrote. The output folder gets `checkpoint.pt`,
`log.csv`, `log.png` and, at every checkpoint, the engine's file `model.gguf`. `--resume` goes on
where the last checkpoint was written, exactly as if the run had not been cut off. It takes the
games and options that the run was begun with; how many steps there are and how the learning rate
falls at their end (`--steps`, `--decay`, `--floor`) may be others.
"""

import argparse
import queue
import threading
from collections.abc import Iterator
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from tqdm import tqdm

from . import checkpoint
from .config import CONTROL_STEPS, Config
from .dataset import Batch, Folder, batch
from .log import Log
from .model import Model
from .plan import Plan, validation
from .schedule import rate
from .seldom import token_counts

BETAS = (0.9, 0.95)
PREPARED = 4
"""Batches that wait for the model."""
KEPT = (
    "batch", "seed", "cut", "hidden_conditions", "low_rating", "low_repeats",
    "rate", "warm_up", "weight_decay", "clip", "value_weight",
)
"""Options that stay what they are for a whole run. The first line makes the plan, in which a
checkpoint has its place; the second one says how every step learns. Sizes are compared apart."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("games", nargs="+", type=Path, help="folders of games")
    add("--out", type=Path, required=True, help="folder of the run")
    add("--resume", action="store_true", help="go on from the checkpoint")
    sizes = parser.add_argument_group("sizes of the model")
    sizes.add_argument("--blocks", type=int, default=6)
    sizes.add_argument("--width", type=int, default=256)
    sizes.add_argument("--hidden", type=int, help="default: 3 x width")
    sizes.add_argument("--heads", type=int, help="default: width / head size")
    sizes.add_argument("--key-heads", type=int, default=2)
    sizes.add_argument("--head-size", type=int, default=64)
    sizes.add_argument("--context", type=int, default=128, help="steps")
    sizes.add_argument("--float", action="store_true", help="no ternary weights, to compare")
    course = parser.add_argument_group("course")
    course.add_argument("--steps", type=int, required=True, help="batches to learn from")
    course.add_argument("--batch", type=int, default=4096, help="positions of a batch")
    course.add_argument("--rate", type=float, default=1e-3, help="peak learning rate")
    course.add_argument("--warm-up", type=int, default=200, help="steps")
    course.add_argument("--decay", type=float, default=1.0, help="share of steps, at the end")
    course.add_argument("--floor", type=float, default=0.01, help="last share of the rate")
    course.add_argument("--weight-decay", type=float, default=0.1)
    course.add_argument("--clip", type=float, default=1.0, help="norm of the gradient")
    course.add_argument("--value-weight", type=float, default=0.3, help="of the value loss")
    course.add_argument("--seed", type=int, default=1)
    games = parser.add_argument_group("games")
    games.add_argument("--cut", type=float, default=0.15, help="share begun in the middle")
    games.add_argument("--hidden-conditions", type=float, default=0.15, help="share withheld")
    games.add_argument("--low-rating", type=int, default=2000)
    games.add_argument("--low-repeats", type=int, default=1, help="of games below that")
    running = parser.add_argument_group("running")
    running.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    running.add_argument("--bf16", action="store_true", help="16-bit products")
    running.add_argument("--compile", action="store_true", help="blocks become machine code")
    running.add_argument("--save-every", type=int, default=500, help="steps")
    running.add_argument("--log-every", type=int, default=50, help="steps")
    running.add_argument("--validate-every", type=int, default=500, help="steps")
    running.add_argument("--validation", type=int, default=60_000, help="positions")
    options = parser.parse_args()
    options.hidden = options.hidden or 3 * options.width
    options.heads = options.heads or options.width // max(options.head_size, 1)
    for fault in faults(options):
        parser.error(fault)
    return options


def faults(options: argparse.Namespace) -> Iterator[str]:
    """What is wrong with the options: sizes that the engine would not take, above all."""
    for name, low, high, multiple in (
        ("blocks", 1, 256, 1), ("width", 16, 8192, 16), ("hidden", 16, 16_384, 16),
        ("heads", 1, 128, 1), ("key_heads", 1, 128, 1), ("head_size", 16, 256, 16),
        ("context", 2 * CONTROL_STEPS, 4096, 1),
    ):
        found = getattr(options, name)
        if not low <= found <= high or found % multiple:
            of = f"a multiple of {multiple} " if multiple > 1 else ""
            yield f"--{name.replace('_', '-')}: {of}from {low} to {high} expected, found {found}"
    if options.key_heads > 0 and options.heads % options.key_heads:
        yield f"--heads: a multiple of {options.key_heads} key heads expected, found {options.heads}"
    for name in ("steps", "batch", "save_every", "log_every", "validate_every", "validation"):
        if getattr(options, name) < 1:
            yield f"--{name.replace('_', '-')}: 1 or more expected, found {getattr(options, name)}"


def optimiser(model: Model, options: argparse.Namespace) -> torch.optim.AdamW:
    """AdamW; matrices of blocks and the head decay, embeddings and vectors do not."""
    decaying = [
        module.weight for name, module in model.named_modules()
        if isinstance(module, nn.Linear) and name != "value"
    ]
    known = {id(parameter) for parameter in decaying}
    others = [parameter for parameter in model.parameters() if id(parameter) not in known]
    groups = [
        {"params": decaying, "weight_decay": options.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=options.rate, betas=BETAS, fused=True)


def batches(
    plan: Plan, epoch: int, skip: int, device: torch.device
) -> Iterator[tuple[int, int, Batch]]:
    """Epoch, number in it and batch, without end; prepared beside the training."""
    waiting: queue.Queue = queue.Queue(PREPARED)

    def prepare() -> None:
        number, done = epoch, skip
        try:
            while True:
                index = -1
                for index, (windows, hidden) in enumerate(plan.epoch(number)):
                    if index >= done:
                        waiting.put((number, index, batch(plan.folders, windows, hidden)))
                if index < 0:
                    raise SystemExit("too few games: all are held out or left out")
                number, done = number + 1, 0
        except BaseException as error:
            waiting.put(error)

    threading.Thread(target=prepare, daemon=True).start()
    while True:
        item = waiting.get()
        if isinstance(item, BaseException):
            raise item
        number, index, prepared = item
        yield number, index, prepared.to(device)


@torch.no_grad()
def validate(model: Model, held_out: list[Batch], device: torch.device) -> dict[str, float]:
    """Losses and the share of moves that are the model's first choice."""
    model.eval()
    policy = value = hits = 0.0
    positions = with_result = 0
    for prepared in held_out:
        prepared = prepared.to(device)
        predictions = model(prepared)
        count, known = len(prepared.played), int((~prepared.results.isnan()).sum())
        hits += (predictions.logits.argmax(dim=1) == prepared.played).sum().item()
        policy += predictions.policy_loss(prepared).item() * count
        value += predictions.value_loss(prepared).item() * known
        positions += count
        with_result += known
    model.train()
    return {
        "validation_policy": policy / positions,
        "validation_value": value / max(with_result, 1),
        "top1": hits / positions,
    }


def differences(was: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """What differs between two records of a run."""
    found = []
    for name, value in now["options"].items():
        # An option that the record lacks came with a later version of the trainer.
        if (old := was["options"].get(name, value)) != value:
            found.append(f"--{name.replace('_', '-')} {old}, not {value}")
    folders = zip_longest(was["games"], now["games"], fillvalue="nothing")
    for number, (old, new) in enumerate(folders, start=1):
        if old != new:
            found.append(f"{old} as folder {number}, not {new}")
    return found


class Run:
    """A training run between two checkpoints."""

    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.device = torch.device(options.device)
        self.folders = [Folder(path) for path in options.games]
        self.token_counts = token_counts([
            folder.games[name][~folder.held_out()]
            for folder in self.folders for name in ("players", "time_control")
        ])
        config = Config(
            blocks=options.blocks,
            context=options.context,
            width=options.width,
            hidden=options.hidden,
            heads=options.heads,
            key_heads=options.key_heads,
            head_size=options.head_size,
        )
        self.plan = Plan(
            folders=self.folders,
            context=options.context,
            positions=options.batch,
            seed=options.seed,
            cut=options.cut,
            hidden=options.hidden_conditions,
            low_rating=options.low_rating,
            low_repeats=options.low_repeats,
        )
        torch.manual_seed(options.seed)
        self.model = Model(config, not options.float).to(self.device)
        if options.compile:
            for block in self.model.blk:
                block.compile(dynamic=True)
        self.optimiser = optimiser(self.model, options)
        self.step, self.positions, self.epoch, self.batch = 0, 0, 0, 0
        self.record = {
            "options": {name: getattr(options, name) for name in KEPT},
            "games": [folder.summary() for folder in self.folders],
        }
        """What has to be the same in all sittings of a run."""
        self.checkpoint = options.out / "checkpoint.pt"
        self.log = Log(options.out)
        if options.resume:
            self.load()
        elif self.checkpoint.exists():
            raise SystemExit(f"{self.checkpoint} is there: --resume, or another --out")
        options.out.mkdir(parents=True, exist_ok=True)
        self.log.truncate(self.step)
        if options.resume:
            # A run that was stopped right after a checkpoint has no model of it yet.
            self.write_model()

    def load(self) -> None:
        state = checkpoint.load(self.checkpoint, self.device)
        if state["config"] != asdict(self.model.config):
            raise SystemExit(f"{self.checkpoint} has other sizes: {state['config']}")
        if state["ternary"] == self.options.float:
            kinds = {True: "ternary", False: "float"}
            raise SystemExit(f"{self.checkpoint} has {kinds[state['ternary']]} weights")
        if "record" not in state:
            print(f"{self.checkpoint} does not say which games and options it was trained with: "
                  "those given here are taken for the same")
        elif found := differences(state["record"], self.record):
            raise SystemExit(f"{self.checkpoint} was trained with " + "; ".join(found))
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.step, self.positions = state["step"], state["positions"]
        self.epoch, self.batch = state["epoch"], state["batch"]

    def save(self) -> None:
        checkpoint.save(
            self.checkpoint,
            {
                "config": asdict(self.model.config),
                "ternary": not self.options.float,
                "record": self.record,
                "token_counts": torch.from_numpy(self.token_counts),
                "model": self.model.state_dict(),
                "optimiser": self.optimiser.state_dict(),
                "step": self.step,
                "positions": self.positions,
                "epoch": self.epoch,
                "batch": self.batch,
            },
        )
        self.write_model()

    def write_model(self) -> None:
        if not self.options.float:
            description = {"name": "Kaiyo policy", "license": "Apache-2.0"}
            path = self.options.out / "model.gguf"
            checkpoint.write_model(path, self.model, description, self.token_counts)

    def learn(self, prepared: Batch) -> tuple[Tensor, Tensor, Tensor, float]:
        """One step; returns loss, policy loss, value loss and the gradient's norm."""
        options = self.options
        share = rate(self.step, options.steps, options.warm_up, options.decay, options.floor)
        for group in self.optimiser.param_groups:
            group["lr"] = options.rate * share
        with torch.autocast(self.device.type, torch.bfloat16, enabled=options.bf16):
            predictions = self.model(prepared)
        policy, value = predictions.policy_loss(prepared), predictions.value_loss(prepared)
        loss = policy + options.value_weight * value
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), options.clip)
        self.optimiser.step()
        return loss.detach(), policy.detach(), value.detach(), norm

    def run(self) -> None:
        options = self.options
        if self.step >= options.steps:
            print(f"{self.step} steps are done: nothing is left of --steps {options.steps}")
            return
        held_out = [
            batch(self.folders, windows)
            for number, folder in enumerate(self.folders)
            for windows in validation(folder, number, self.plan, options.validation)
        ]
        if not held_out:
            raise SystemExit("too few games: none is held out to validate the model")
        parameters = sum(parameter.numel() for parameter in self.model.parameters())
        print(f"{parameters} parameters, {sum(len(f.games) for f in self.folders)} games")
        bar = tqdm(total=options.steps, initial=self.step, unit="step", smoothing=0.05)
        recent = []
        source = batches(self.plan, self.epoch, self.batch, self.device)
        while self.step < options.steps:
            epoch, number, prepared = next(source)
            results = self.learn(prepared)
            self.step += 1
            self.positions += len(prepared.played)
            self.epoch, self.batch = epoch, number + 1
            recent.append(torch.stack([torch.as_tensor(result) for result in results]))
            bar.update()
            last = self.step == options.steps
            validating = self.step % options.validate_every == 0 or last
            saving = self.step % options.save_every == 0 or last
            # A run that is resumed knows nothing of steps before its checkpoint.
            if self.step % options.log_every == 0 or validating or saving:
                loss, policy, value, norm = torch.stack(recent).mean(dim=0).tolist()
                recent.clear()
                bar.set_postfix(policy=f"{policy:.4f}", value=f"{value:.4f}")
                row = validate(self.model, held_out, self.device) if validating else {}
                self.log.add(
                    step=self.step,
                    positions=self.positions,
                    rate=self.optimiser.param_groups[0]["lr"],
                    loss=loss,
                    policy=policy,
                    value=value,
                    gradient=norm,
                    **row,
                )
                if row:
                    tqdm.write(f"step {self.step}: " + ", ".join(
                        f"{name} {number:.4f}" for name, number in row.items()))
                    self.log.draw()
            if saving:
                # The last good checkpoint is not replaced by a bad one.
                if not all(weights.isfinite().all() for weights in self.model.parameters()):
                    raise SystemExit(f"step {self.step}: weights that are no numbers any more")
                self.save()
        bar.close()


def main() -> None:
    Run(arguments()).run()


if __name__ == "__main__":
    main()
