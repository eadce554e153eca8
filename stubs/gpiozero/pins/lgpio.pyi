from gpiozero import Factory

class LGPIOFactory(Factory):
    def close(self) -> None: ...
