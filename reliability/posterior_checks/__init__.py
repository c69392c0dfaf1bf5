"""Is a posterior healthy? One function a check, thresholds in one table, each result a finding with its number."""
