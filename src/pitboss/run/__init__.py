"""Many games fast, and what they tell."""
