"""Is gone before it has been imported."""

import os

os._exit(5)
