"""What runs plugins inside an isolate."""
