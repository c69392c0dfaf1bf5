"""What does this source tell CAMB? Read from the syntax tree, never imported, never run."""
