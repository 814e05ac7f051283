# Builds for testing frameworks that call make; see CONTRIBUTING.md for cargo itself.

# Name of the binary in this folder. On Windows the caller adds .exe.
EXE ?= kaiyo

# Frameworks pass a network to embed; it reaches the build through the environment.
ifdef EVALFILE
export EVALFILE
endif

CARGO ?= cargo
TARGET_DIR ?= $(or $(CARGO_TARGET_DIR),target)
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)

.PHONY: all test bench portable clean

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

clean:
	$(CARGO) clean --target-dir "$(TARGET_DIR)"
	rm -f "$(EXE)"
