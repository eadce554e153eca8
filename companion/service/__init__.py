"""Running unattended: settings, backup, restore, watchdog, systemd."""
