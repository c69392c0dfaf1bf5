"""Read posteriors from the files samplers write. Nothing is ever unpickled, imported or run."""
