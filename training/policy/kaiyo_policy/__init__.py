"""The move transformer of Kaiyo: its definition and its exporter."""
