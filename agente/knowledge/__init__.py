"""The owner's policies: split by headings, searched, cited."""
