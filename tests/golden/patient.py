"""A Python bot of Show, as its author wrote it for the last version."""

from pitboss.show import ShowBot


class Patient(ShowBot):
    """Calls with few points only, and looks at either card first, by luck."""

    def peek(self, view):
        return self.rng.randrange(2)

    def call_show(self, view):
        return view.expected_total <= 4
