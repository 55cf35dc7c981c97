"""Games in progress: one table (`table`), what a seat sees of it (`view`), all of them (`room`), and how they are
kept in the database (`store`)."""
