"""The one name of libcamera the companion uses."""

class controls:
    class AfModeEnum:
        Manual: int
        Auto: int
        Continuous: int
