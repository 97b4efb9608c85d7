// Task: halve every number.
