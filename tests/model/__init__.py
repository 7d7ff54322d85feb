"""A second account of the table, written from the documents alone, and the runs that compare the two."""
