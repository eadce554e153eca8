"""The games that come along, each a package of its own behind the same door as a stranger's."""
