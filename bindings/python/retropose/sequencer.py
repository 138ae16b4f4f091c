"""The sequencer of Asheron's Call. Bodies follow."""
