"""Drives the program through python-chess: all options, all commands, both protocols.

python_chess.py PROGRAM
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import chess
import chess.engine
from chess.engine import Limit, SimpleEngine

PATIENCE = 120  # seconds
# Larger values would take what the machine may not have.
MOST = {"Hash": 64, "Threads": 4}
# What python-chess minds itself.
MANAGED = {"uci_chess960", "uci_variant", "multipv", "ponder", "uci_analysemode"}

ASSETS = Path(__file__).parents[3] / "assets"

program = sys.argv[1]


def expect(condition, what):
    if not condition:
        sys.exit(f"python-chess: {what}")


def text_values(name, folder):
    """Values for an option that takes any text."""
    return {
        "Debug Log File": [str(folder / "log of the test.txt"), ""],
        "SyzygyPath": [str(folder), ""],
        "UCI_Opponent": ["GM 2800 human Gary Kasparov", ""],
        "UCI_EngineAbout": ["x"],
        "Temperature": ["0", "0.5", "1.0"],
        "TopP": ["0.9", "1.0"],
        "NumaPolicy": ["none", "auto"],
        "EvalFile": [str(folder / "exported.nnue"), ""],
        "PolicyFile": [str(ASSETS / "kaiyo.gguf"), ""],
        "BookFile": [str(ASSETS / "book2.bin"), ""],
        "Book2File": [str(ASSETS / "book1.bin"), ""],
    }.get(name, [""])


def values(option, folder):
    if option.type == "check":
        return [not option.default, option.default]
    if option.type == "spin":
        return [option.min, min(option.max, MOST.get(option.name, option.max)), option.default]
    if option.type == "combo":
        return [*option.var, option.default]
    if option.type == "button":
        return [None]
    return text_values(option.name, folder)


def every_option(folder):
    """Each value is accepted and a legal move comes with it, within the clock."""
    with SimpleEngine.popen_uci(program, timeout=PATIENCE) as engine:
        board = chess.Board()
        for option in list(engine.options.values()):
            for value in values(option, folder):
                if option.name.lower() not in MANAGED:
                    engine.configure({option.name: value})
                result = engine.play(board, Limit(depth=2))
                expect(result.move in board.legal_moves, f"{option.name}={value}")
        print(f"{len(engine.options)} options")
    log = (folder / "log of the test.txt").read_text()
    expect("<< bestmove" in log and ">> go depth 2" in log, "the log")


def every_command(folder):
    """Those that python-chess has no use for."""
    for command, answer in {
        "uci": "uciok",
        "isready": "readyok",
        "d": "Legal moves: 20",
        "eval": "Evaluation",
        "flip\nd": "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
        "go perft 3": "Nodes searched: 8902",
        "bench 1": " nodes ",
        "genfens 2 seed 1 book None": "info string genfens ",
        "help": "go perft",
        "compiler": "rustc",
        "policy 1100 1900": "Result expected by White",
        "speedtest 1 1 1": " nodes ",
        f"export_net {folder / 'exported.nnue'}": "network is in",
        "license": "Apache License",
        "debug on\ndebug off\nregister later\nstop\nponderhit\nucinewgame\n# comment": "",
    }.items():
        said = subprocess.run(
            [program, *command.split("\n")], capture_output=True, text=True, timeout=PATIENCE, check=True
        ).stdout
        expect(answer in said if answer else not said, f"{command}: {said}")


def what_lichess_bot_sends():
    """Options that are not declared, or values beyond the limits, would raise an error."""
    with SimpleEngine.popen_uci([program, "--key=value"], timeout=PATIENCE) as engine:
        engine.configure({
            "Move Overhead": 100, "Threads": 4, "Hash": 512, "SyzygyPath": "./syzygy/", "UCI_ShowWDL": True,
        })
        board = chess.Board()
        moved = engine.play(board, Limit(time=0.1), ponder=True, info=chess.engine.INFO_ALL)
        expect("wdl" in moved.info and moved.info["pv"][0] == moved.move, "the first move")
        for _ in range(6):
            board.push(moved.move)
            board.push(moved.ponder if moved.ponder else next(iter(board.legal_moves)))
            clock = Limit(white_clock=3, black_clock=3, white_inc=0.05, black_inc=0.05)
            moved = engine.play(board, clock, ponder=True)
            expect(moved.move in board.legal_moves, "a move with pondering")


def analysis():
    with SimpleEngine.popen_uci(program, timeout=PATIENCE) as engine:
        board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
        lines = engine.analyse(board, Limit(depth=8), multipv=5)
        expect([line["multipv"] for line in lines] == [1, 2, 3, 4, 5], "five lines")
        for line in lines:
            replay = board.copy()
            for move in line["pv"]:
                expect(move in replay.legal_moves, f"{move} in a line")
                replay.push(move)
        moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("e1g1")]
        best = engine.play(board, Limit(nodes=5000), root_moves=moves)
        expect(best.move in moves, "searchmoves")
        mate = chess.Board("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1")
        info = engine.analyse(mate, Limit(mate=3))
        expect(info["score"].relative == chess.engine.Mate(3), f"mate in 3, {info['score']}")
        with engine.analysis(board) as endless:
            for info in endless:
                if info.get("depth", 0) >= 8:
                    break
        expect(endless.wait().move in board.legal_moves, "an analysis that is stopped")
        for over in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"]:
            expect(engine.play(chess.Board(over), Limit(depth=3)).move is None, f"no move at {over}")


def chess960():
    with SimpleEngine.popen_uci(program, timeout=PATIENCE) as engine:
        for number in (0, 518, 959):
            board = chess.Board.from_chess960_pos(number)
            for _ in range(30):
                if board.is_game_over():
                    break
                board.push(engine.play(board, Limit(nodes=300)).move)


def xboard():
    for ponder in (False, True):
        with SimpleEngine.popen_xboard(program, timeout=PATIENCE) as engine:
            engine.configure({"memory": 32, "cores": 2, "MoveOverhead": 30, "Contempt": 5})
            board = chess.Board()
            while not board.is_game_over() and board.ply() < 24:
                board.push(engine.play(board, Limit(time=0.02), ponder=ponder).move)
            info = engine.analyse(chess.Board(), Limit(depth=6))
            expect(info["score"].relative.score() is not None, "a score")
            odd = chess.Move.from_uci("a2a3")
            info = engine.analyse(chess.Board(), Limit(depth=6), root_moves=[odd])
            expect(info["pv"][0] == odd, f"an analysis of one move, {info['pv']}")
            moved = engine.play(chess.Board(), Limit(white_clock=2, black_clock=2, white_inc=0.1, black_inc=0.1))
            expect(moved.move in chess.Board().legal_moves, "a move with a clock")


with tempfile.TemporaryDirectory() as folder:
    every_command(Path(folder))
    every_option(Path(folder))
what_lichess_bot_sends()
analysis()
chess960()
xboard()
print("python-chess: all is well")
