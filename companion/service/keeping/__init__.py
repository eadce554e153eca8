"""Keeping the books through bad times: automatic backups, a spare journal, the ways on."""
