"""What every room stands on: errors, frames, notices, files, resources."""
