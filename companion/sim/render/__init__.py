"""Pictures of tables that do not exist: faces, dice, surfaces, light, lens."""
