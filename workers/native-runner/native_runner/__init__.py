"""The runner's own side: it never loads a plugin itself."""
