"""The table loop, the evidence it keeps, and what people put right."""
