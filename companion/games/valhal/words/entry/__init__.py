"""Entry by hand: buttons, forms and chips that say one action each."""
