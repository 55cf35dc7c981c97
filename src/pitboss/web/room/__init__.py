"""Games in progress: one table (`table`), what a seat sees of it (`look`), all of them (`room`), and how they are
kept (`keep`)."""
