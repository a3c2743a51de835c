class Retry:
    """Tries are not repeated here."""

    def __init__(self, total=10, **options):
        self.total = total
        self.options = options
