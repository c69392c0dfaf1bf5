"""The judge on trial: seeded faults through the whole suite, and what it says of them beside what is true."""
