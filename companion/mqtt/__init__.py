"""The table in a household: an MQTT broker is told what happens here, and may press the buttons.

Home Assistant finds the box by itself (`discovery`). Nothing of a game depends on the broker: the
books are in the journal, and what the broker has not heard is in no way lost."""
