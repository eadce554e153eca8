"""What happened, written down: events, session, journal, referee, records, owners' sheets."""
