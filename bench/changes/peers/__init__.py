"""The other sides; they run in an environment of their own and import nothing here."""
