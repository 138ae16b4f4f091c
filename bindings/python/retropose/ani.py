"""LEGO Island animations (`.ani`). Bodies follow."""
