# Builds for testing frameworks that call make; see CONTRIBUTING.md for cargo itself.

# Name of the binary in this folder. On Windows the caller adds .exe.
EXE ?= kaiyo

# Frameworks pass a network to embed; it reaches the build through the environment. Its path counts from here.
ifdef EVALFILE
export EVALFILE := $(abspath $(EVALFILE))
endif
ifdef POLICYFILE
export POLICYFILE := $(abspath $(POLICYFILE))
endif

CARGO ?= cargo
TARGET_DIR ?= $(or $(CARGO_TARGET_DIR),target)
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)

# Of the compiler's own LLVM; `rustup component add llvm-tools` installs it.
PROFDATA ?= $(firstword $(wildcard $(shell rustc --print target-libdir)/../bin/llvm-profdata$(SUFFIX)))
PROFILE := $(abspath $(TARGET_DIR))/pgo

.PHONY: all test bench portable wasm pgo clean

all:
	$(CARGO) build --release -p kaiyo --target-dir "$(TARGET_DIR)"
	cp "$(TARGET_DIR)/release/kaiyo$(SUFFIX)" "$(EXE)"

test:
	$(CARGO) test --workspace --target-dir "$(TARGET_DIR)"

bench: all
	"./$(EXE)" bench

# Runs on every x86-64 processor. Its own folder keeps it apart from the native build.
portable:
	RUSTFLAGS="-C target-cpu=x86-64" $(CARGO) build --release -p kaiyo --target-dir "$(TARGET_DIR)/portable"
	cp "$(TARGET_DIR)/portable/release/kaiyo$(SUFFIX)" "$(EXE)"

# For pages and Node.js: `rustup target add wasm32-wasip1-threads` installs what it needs.
wasm:
	$(CARGO) build --release -p kaiyo --target wasm32-wasip1-threads --target-dir "$(TARGET_DIR)"
	cp "$(TARGET_DIR)/wasm32-wasip1-threads/release/kaiyo.wasm" web/kaiyo.wasm

# Compiled twice: the second time with a profile of the first one's bench.
pgo:
	@test -n "$(PROFDATA)" || { echo "llvm-profdata not found: rustup component add llvm-tools"; exit 1; }
	rm -rf "$(PROFILE)/raw"
	RUSTFLAGS="-C target-cpu=native -C profile-generate=$(PROFILE)/raw" $(CARGO) build --release -p kaiyo --target-dir "$(PROFILE)/first"
	"$(PROFILE)/first/release/kaiyo$(SUFFIX)" bench > /dev/null
	"$(PROFDATA)" merge -o "$(PROFILE)/bench.profdata" "$(PROFILE)/raw"
	RUSTFLAGS="-C target-cpu=native -C profile-use=$(PROFILE)/bench.profdata" $(CARGO) build --release -p kaiyo --target-dir "$(PROFILE)/second"
	cp "$(PROFILE)/second/release/kaiyo$(SUFFIX)" "$(EXE)"

clean:
	$(CARGO) clean --target-dir "$(TARGET_DIR)"
	rm -f "$(EXE)" web/kaiyo.wasm
